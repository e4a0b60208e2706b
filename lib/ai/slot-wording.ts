/**
 * A figure or direction to which a text of a language model refers as `{id}`. `display` is the text that replaces
 * `{id}`; code writes it, not the model.
 */
export type WordedSlot = { id: string; display: string; isRequired: boolean };

/** The position of a slot's replacement in a rendered text, in UTF-16 units. */
export type RenderedSlot = { from: number; to: number; id: string };
export type Rendered = { text: string; slots: RenderedSlot[] };

const SLOT = /\{([a-z]\d{1,3})\}/g;

/** Words that are numbers, or that change the size of the number next to them. */
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions trillion trillions bn mn dozen dozens half halves quarter-point third thirds double doubled doubles twice triple tripled thrice once single couple pair several many few both percent pct per-cent basis-points nil null none first second fourth fifth times fold';
/** Words that state a cause. */
const CAUSES =
  'because since due owing thanks therefore thus hence so consequently cause causes caused causing reason reasons drive drives drove driven driver lead leads led result results resulting reflect reflects reflecting explain explains explained amid despite following';
/** Words that rank or judge. */
const JUDGEMENTS =
  'most least best worst highest lowest largest smallest biggest greatest strongest weakest maximum minimum record peak top bottom strong weak strongly weakly sharply significantly significant notable notably remarkable impressive good bad poor healthy unhealthy great excellent alarming worrying encouraging solid robust concerning only merely just already unfortunately fortunately sadly';
/** Words that state a movement, a comparison or a negation. Directions have slots of their own. */
const MOVES =
  'not no never neither nor without except excluding hardly barely isn aren wasn weren doesn don didn cannot can could should would must may might will shall above below over under more less fewer greater higher lower larger smaller exceed exceeds exceeded almost nearly about around approximately roughly circa up down rise rises rose risen rising increase increases increased increasing grow grows grew grown growth fall falls fell fallen falling drop drops dropped decrease decreases decreased decline declines declined gain gains gained lose loses lost loss losses minus plus negative positive buy sell hold recommend advise pay approve';
const FORBIDDEN = new Set(`${NUMBERS} ${CAUSES} ${JUDGEMENTS} ${MOVES}`.split(' '));

/**
 * Renders a text that a language model wrote with slots, or returns undefined if the text may not be shown. The text
 * outside of slots must not contain a digit, a word for a number, cause, judgement or movement, a unit or currency
 * sign, markup or a link. Each required slot must occur once, each optional slot at most once, and no unknown slot. All
 * numbers in the result therefore come from slots.
 */
export function renderSlots(
  answer: string,
  slots: readonly WordedSlot[],
  { charactersMax }: { charactersMax: number },
): Rendered | undefined {
  const written = answer.trim().replace(/\s+/g, ' ');
  if (written === '' || written.length > charactersMax) return undefined;
  const outside = written.replace(SLOT, ' ');
  if (!isPlain(outside) || hasForbidden(outside)) return undefined;
  const used = [...written.matchAll(SLOT)].map(([, id]) => id!);
  const isOnce = slots.every(({ id, isRequired }) => {
    const count = used.filter((each) => each === id).length;
    return count === 1 || (count === 0 && !isRequired);
  });
  if (!isOnce || used.length === 0 || used.some((id) => !slots.some((slot) => slot.id === id)))
    return undefined;
  if (!standsApart(written)) return undefined;
  return rendered(written, slots);
}

/** Whether a text contains only Latin letters, spaces, punctuation marks, and hyphens inside words. */
function isPlain(outside: string): boolean {
  return /^(?:[A-Za-z\u00C0-\u024F .,;:'’]|(?<=[A-Za-z])-(?=[A-Za-z]))*$/u.test(outside);
}

/**
 * Whether each slot has a space on both sides, and any two slots have a word between them. `-{f1}` and `{f1} {f2}`
 * would read as other numbers.
 */
function standsApart(written: string): boolean {
  const words = written.split(' ');
  const isSlot = (word: string | undefined): boolean => /^\{[a-z]\d{1,3}\}[.,;:]?$/.test(word ?? '');
  return words.every((word, at) => (isSlot(word) ? !isSlot(words[at + 1]) : !/[{}]/.test(word)));
}

function hasForbidden(outside: string): boolean {
  const words = outside.toLowerCase().match(/[a-z\u00C0-\u024F]+/gu) ?? [];
  return words.some((word) => FORBIDDEN.has(word));
}

function rendered(written: string, slots: readonly WordedSlot[]): Rendered {
  const displays = new Map(slots.map(({ id, display }) => [id, display]));
  const places: RenderedSlot[] = [];
  let text = '';
  let at = 0;
  for (const match of written.matchAll(SLOT)) {
    text += written.slice(at, match.index);
    const display = displays.get(match[1]!)!;
    places.push({ from: text.length, to: text.length + display.length, id: match[1]! });
    text += display;
    at = match.index + match[0].length;
  }
  return { text: text + written.slice(at), slots: places };
}
