import type { Lexeme, Reading } from './readings.ts';

type Slot = Reading['slot'];
type Of<S extends Slot> = Extract<Reading, { slot: S }>;
export type Taken<S extends Slot> = Of<S> & { at: number; lexeme: Lexeme };

/**
 * The lexemes of a question while a frame fills its slots. Each lexeme fills at most one slot, and is free until a slot
 * takes it. A frame matches only if every lexeme with content has filled a slot.
 */
export class Bag {
  readonly lexemes: readonly Lexeme[];
  readonly #isTaken: boolean[];

  constructor(lexemes: readonly Lexeme[]) {
    this.lexemes = lexemes;
    this.#isTaken = lexemes.map(() => false);
  }

  /** Returns the free lexemes that can fill a slot, in their order, without taking them. */
  see<S extends Slot>(slot: S, holds: (reading: Of<S>, lexeme: Lexeme) => boolean = () => true): Taken<S>[] {
    return this.lexemes.flatMap((lexeme, at) => {
      if (this.#isTaken[at]) return [];
      const reading = lexeme.readings.find((each) => each.slot === slot && holds(each as Of<S>, lexeme));
      return reading ? [{ ...(reading as Of<S>), at, lexeme }] : [];
    });
  }

  /** Takes all free lexemes that can fill a slot. */
  all<S extends Slot>(slot: S, holds?: (reading: Of<S>, lexeme: Lexeme) => boolean): Taken<S>[] {
    const found = this.see(slot, holds);
    for (const { at } of found) this.#isTaken[at] = true;
    return found;
  }

  /** Takes the first free lexeme that can fill a slot. */
  one<S extends Slot>(slot: S, holds?: (reading: Of<S>, lexeme: Lexeme) => boolean): Taken<S> | undefined {
    const found = this.see(slot, holds)[0];
    if (found) this.#isTaken[found.at] = true;
    return found;
  }

  /** Takes the first free cue with one of these names. Returns whether there was one. */
  cue(...names: readonly string[]): boolean {
    return this.one('cue', ({ cue }) => names.includes(cue)) !== undefined;
  }

  /** Takes every free cue with one of these names. Returns their number. */
  cues(...names: readonly string[]): number {
    return this.all('cue', ({ cue }) => names.includes(cue)).length;
  }

  /** Takes every free noun with one of these names. Returns their number. */
  nouns(...names: readonly string[]): number {
    return this.all('noun', ({ noun }) => names.includes(noun)).length;
  }

  /** Takes the first free noun with one of these names, and returns its name. */
  noun(...names: readonly string[]): string | undefined {
    return this.one('noun', ({ noun }) => names.includes(noun))?.noun;
  }

  take(at: number): void {
    this.#isTaken[at] = true;
  }

  /** Returns the free lexemes that have content. */
  left(): Lexeme[] {
    return this.lexemes.filter(
      ({ readings }, at) => !this.#isTaken[at] && !readings.some(({ slot }) => slot === 'function'),
    );
  }

  /** Whether a question has a cue, taken or not. */
  has(name: string): boolean {
    return this.lexemes.some(({ readings }) =>
      readings.some((each) => each.slot === 'cue' && each.cue === name),
    );
  }
}
