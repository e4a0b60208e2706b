import { asked } from '#lib/core/asked.ts';
import { cuesOfField, fieldsOf, recordNouns } from '../record-nouns.ts';
import { draftOf, takeAsOf, takeWhen, type Frame } from './common.ts';
import { takeStates } from './record-conditions.ts';
import { CUES, namedOf, seesField, takeNamed } from './records.ts';

/**
 * Reads questions about a field of one built-in record, such as "When does the loan A fall due", "what is the original
 * amount of A".
 */
export const recordReferences: Frame = (bag, { catalogue }) => {
  const noun = recordNouns.find(
    (each) => asked[each] === undefined && catalogue.measures.has(each) && namedOf(bag, each).length > 0,
  );
  if (noun === undefined) return undefined;
  const mentions = takeNamed(bag, noun);
  const seen = Object.keys(fieldsOf(noun)).filter((field) => seesField(bag, noun, field));
  // "Who do we owe A to" asks for the party, not for the amount.
  const isWho = bag.lexemes.some(({ key }) => /^(who|whom|whose)$/.test(key)) && seen.includes('outstanding');
  const fields = isWho ? ['counterparty'] : seen;
  if (!mentions || fields.length !== 1) return undefined;
  const [field] = fields as [string];
  bag.cues(...cuesOfField(noun, field), ...(isWho ? cuesOfField(noun, 'outstanding') : []));
  if (field === 'counterparty') bag.nouns('counterparty');
  // "The invoice A": the type before a reference only says again what the record is.
  bag.nouns(noun);
  bag.cues(...CUES, 'how_much', 'when', 'pronoun', 'severity');
  return draftOf('list', { measures: [noun], mentions }, { what: field });
};

/**
 * Reads questions about a figure of declared records that is not a column, such as "What is the value of the portfolio
 * A", "how many holdings does each portfolio have".
 */
export const recordFigures: Frame = (bag, { catalogue }) => {
  const noun = Object.keys(asked).find(
    (each) =>
      asked[each]!.figures !== undefined &&
      catalogue.measures.has(each) &&
      (bag.see('noun', (reading) => reading.noun === each).length > 0 || namedOf(bag, each).length > 0),
  );
  const fields = Object.keys(asked[noun ?? '']?.figures ?? {}).filter((field) =>
    seesField(bag, noun!, field),
  );
  // "Cash value" and "market value of the cash" name two figures.
  if (noun === undefined || fields.length !== 1) return undefined;
  const [field] = fields as [string];
  const mentions = takeNamed(bag, noun);
  bag.cues(...cuesOfField(noun, field));
  bag.nouns(noun);
  bag.cues(...CUES, 'how_many', 'how_much', 'pronoun');
  const where = takeStates(bag, noun);
  const asOf = takeAsOf(bag);
  bag.all('when', ({ when }) => when.kind === 'now' || when.kind === 'latest');
  const when = takeWhen(bag);
  if (!mentions || bag.see('state').length > 0) return undefined;
  return draftOf(
    'value',
    { measures: [`${noun}.${field}`], mentions, asOf, when },
    where.length > 0 ? { where } : {},
  );
};
