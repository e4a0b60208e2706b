import { Refusal } from '#lib/core/refusal.ts';
import type { Fits, NamedMember } from '#lib/models/training/ensemble-members.ts';
import type { LqmFamily } from '#lib/models/registry/lqm.ts';
import type { SingleFit } from '#lib/models/registry/prediction.schema.ts';
import { words } from '../shell/options.ts';
import { wholeNumber } from '../shell/whole-number.ts';

export type FitOptions = Partial<
  Record<'ridgeLambda' | 'lagsMax' | 'trees' | 'rate' | 'depth' | 'leafRowsMin' | 'bins' | 'members', string>
>;

/** Returns the fitting options of a model's own family and of the families of its members. */
export function fitsOf(family: LqmFamily, members: readonly NamedMember[], options: FitOptions): Fits {
  const named = new Set([family, ...members.map(({ name }) => name)]);
  return Object.fromEntries(
    Object.entries(readers).flatMap(([each, read]) => (named.has(each) ? [[each, read(options)]] : [])),
  );
}

/** Parses the members of an ensemble, such as `ridge=0.6,trend@2=0.4`: families, or versions of trained models. */
export function membersOf(text: string | undefined): NamedMember[] {
  return words(text ?? '').map((word) => {
    const [, name, weight] = /^([^=]+)(?:=([0-9.]+))?$/.exec(word) ?? [];
    if (name === undefined)
      throw new Refusal(
        'members_invalid',
        `${word} is not a valid member; write a family or a version with an optional weight, such as ridge=0.6 or trend@2=0.4`,
      );
    return { name, weight: weight === undefined ? null : Number(weight) };
  });
}

const readers = {
  ridge: ({ ridgeLambda: text }: FitOptions): SingleFit => ({
    family: 'ridge',
    lambda: text === undefined ? null : number('--ridge-lambda', text, [1e-6, 1e6]),
  }),
  var: ({ lagsMax = '6' }: FitOptions): SingleFit => ({
    family: 'var',
    lags_max: wholeNumber('--lags-max', lagsMax, [1, 24]),
  }),
  gbt: (options: FitOptions): SingleFit => ({
    family: 'gbt',
    trees: wholeNumber('--trees', options.trees ?? '100', [1, 1_000]),
    rate: number('--rate', options.rate ?? '0.1', [0.001, 1]),
    depth: wholeNumber('--depth', options.depth ?? '3', [1, 8]),
    leaf_rows_min: wholeNumber('--leaf-rows-min', options.leafRowsMin ?? '20', [1, 10_000]),
    bins: wholeNumber('--bins', options.bins ?? '64', [2, 255]),
  }),
};

function number(option: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max))
    throw new Refusal('number_invalid', `${option} takes a number from ${min} to ${max}`);
  return value;
}
