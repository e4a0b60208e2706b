import { answer, answerQuery, type Answer } from '../answer.ts';
import { refuse } from '../language/codes.ts';
import { canonicalQuery, type SemanticQuery } from '../language/query.ts';
import { ReadingRefused } from '../readers/reading.ts';
import type { AskingSetting } from './setting.query.ts';

/** A question in words with the earlier questions of the conversation, or a query. */
export type Asked =
  | { question: string; before: readonly string[]; query?: undefined }
  | { query: SemanticQuery; question?: undefined; before?: undefined };

/** Answers a question or query in a setting, with at most as many facts as the profile allows. */
export async function answerIn(setting: AskingSetting, asked: Asked): Promise<Answer> {
  try {
    const given =
      asked.query === undefined
        ? await answer({ question: asked.question, before: asked.before }, setting)
        : await answerPosted(asked.query, setting);
    return given.outcome === 'answered' && given.facts.length > setting.profile.max_facts
      ? refuse('too_many_facts')
      : given;
  } catch (error) {
    if (error instanceof ReadingRefused) return refuse(error.code);
    throw error;
  }
}

/**
 * Evaluates a query that a caller wrote. The evaluators expect the members that the engine gives to a query, so a query
 * that lacks one of these members is not understood.
 */
async function answerPosted(query: SemanticQuery, setting: AskingSetting): Promise<Answer> {
  const canonical = canonicalQuery(query);
  const [domain = ''] = (canonical.measure ?? '').split('.');
  const isKnown =
    canonical.measure === undefined ||
    setting.catalogue.measures.has(canonical.measure) ||
    setting.catalogue.measures.has(domain) ||
    RUN_NOUNS.has(domain);
  if (!isKnown) return refuse('unknown_metric');
  return answerQuery(canonical, setting).catch((error: unknown) => {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      return refuse('not_understood');
    throw error;
  });
}

const RUN_NOUNS = new Set([
  'factor',
  'factor_run',
  'scenario',
  'forecast',
  'regime',
  'taxonomy',
  'instrument',
]);
