import { ENGLISH, FOREIGN } from './function-words.ts';
import type { Lexicon } from './lexicon.ts';
import type { Lexeme } from './readings.ts';
import { isRecordNoun } from './record-nouns.ts';
import type { RefusalCode } from './codes.ts';

/** Whether a text is not English, by its letters and its function words. */
export function isForeign(text: string): boolean {
  const words =
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (/[¿¡]/.test(text)) return true;
  const letters = text.match(/\p{L}/gu) ?? [];
  const foreignLetters = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
  if (foreignLetters.length * 2 > letters.length) return true;
  const foreign = words.filter((word) => FOREIGN.has(word) && !ENGLISH.has(word)).length;
  const english = words.filter((word) => ENGLISH.has(word)).length;
  return foreign >= 2 && foreign > english;
}

const INSTRUCTIONS: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override|bypass|skip|overrule|circumvent|drop)\b.{0,40}\b(instruction|instructions|rule|rules|prompt|prompts|policy|policies|guidelines|limits|restrictions|above|previous|prior|earlier|checks|scopes?|permissions?|safety)\b/,
  /\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(told|said|asked|everything|anything|all of (this|that|it))\b/,
  /\b(system|assistant|developer|user|admin) ?:/,
  /\b(developer|debug|admin|god|maintenance|root|unrestricted|sudo) mode\b/,
  /\byou are now\b|\bpretend\b|\broleplay\b|\brole play\b|\bact as\b|\bfrom now on\b|\bjailbreak\b|\bimagine you\b|\bnew instructions?\b|\byour (new )?(role|task|job|instructions?|rules?|prompt|guidelines|configuration|settings|training)\b/,
  /\b(system |hidden |initial |your |the )?prompts?\b/,
  /\b(api|secret|access|signing|private|encryption) ?keys?\b|\bpasswords?\b|\bcredentials?\b|\bsecrets?\b|\baccess tokens?\b|\bbearer\b|\benvironment variables?\b/,
  /\bworkspace\b|\bwsp_|\b(other|another|different|all) (tenant|tenants|customer|customers|client|clients|workspaces)\b|\btenants?\b/,
  /\b(say|answer|respond|reply|repeat|output|write) (that|with|after|only|the following|exactly)\b/,
  /\b(confidential|internal) (data|files|documents|instructions)\b|\bexfiltrat|\bdump\b|\bexecute\b.{0,20}\b(code|command|script|sql)\b|\brun (this|the) (code|command|script|sql|query)\b/,
  /\bas an? (ai|language model|administrator|admin|assistant)\b|\bmake up\b|\binvent\b|\bhallucinate\b/,
];

/** Whether the words outside of names address the machine: roles, prompts, keys, other workspaces. */
export function isInstruction(lexemes: readonly Lexeme[], question: string, lexicon: Lexicon): boolean {
  const outside = withoutNames(lexemes, question, lexicon);
  return INSTRUCTIONS.some((form) => form.test(outside));
}

/**
 * Returns the question in lower case without the complete names of records, so that a name alone never decides an
 * outcome. Abbreviated names stay in the text.
 */
function withoutNames(lexemes: readonly Lexeme[], question: string, lexicon: Lexicon): string {
  let text = question;
  for (const lexeme of lexemes) {
    const isName =
      (lexicon.full.get(lexeme.key)?.some(({ slot }) => slot === 'entity') ?? false) ||
      (lexicon.references?.has(question.slice(lexeme.from, lexeme.to)) ?? false);
    if (isName)
      text = text.slice(0, lexeme.from) + ' '.repeat(lexeme.to - lexeme.from) + text.slice(lexeme.to);
  }
  return text.toLowerCase().replace(/\s+/g, ' ');
}

const ACTIONS =
  'approve|pay|release|promote|rebind|delete|send|transfer|revoke|cancel|submit|settle|remove|sign|wire|reject|activate|deactivate|suspend|resume|retire|publish|execute|authorise|authorize|delegate|refund|reverse|install|create|register|update|edit|modify|reset|restart|start|stop|trigger|launch|import|upload|place|order|buy|sell|email|notify|schedule|rename|grant|issue|dispute|resolve|close|book|post|void|archive|purge|drop|insert|set|change|move|assign|add|increase|raise|lower|hedge|rebalance|liquidate|disable|enable|write|run|rerun|retry|kick off|sign off|call|freeze|unfreeze|amend|extend|renew|withdraw|deposit|initiate|process|switch';
/**
 * Words for actions that are also measures or that begin a question about figures. They are actions only if an object
 * with an article follows.
 */
const WEAK = new Set(
  'close|book|post|order|set|change|move|add|increase|raise|lower|drop|call|run|issue|process|write|start|stop|extend|dispute|resolve|sign|place|grant|import|switch|reverse|add'.split(
    '|',
  ),
);
const POLITE =
  /^(?:(?:please|kindly|now|then|hi|hello|hey|ok|okay|just|go ahead and|go and|could you|can you|would you|will you|i want you to|i would like you to|i d like you to|you should|you must|you need to|you have to|let us|lets|do|can we|could we|immediately|also|help me|i need you to|proceed to|make sure to|and|could you please|can you please|would you please)\s+)*/;

/** Whether a question asks for an action: an imperative is at its start or after "and". */
export function isAction(lexemes: readonly Lexeme[]): boolean {
  const words = lexemes
    .map((lexeme) => {
      const entity = lexeme.readings.find(({ slot }) => slot === 'entity');
      if (entity?.slot !== 'entity') return lexeme.key;
      const isRecord = entity.subjects.every(({ type }) => isRecordNoun(type));
      return isRecord ? `the ${entity.subjects[0]!.type}` : 'someone';
    })
    .join(' ');
  const start = words.replace(POLITE, '');
  const [, verb, rest = ''] = new RegExp(`^(${ACTIONS})\\b(.*)$`).exec(start) ?? [];
  if (verb !== undefined && isImperative(verb, rest)) return true;
  return /\b(?:and|then) (?:also |please )?(approve|pay|release|promote|rebind|delete|send|transfer|revoke|cancel|settle|wire|sell|buy|submit|execute)\b/.test(
    words,
  );
}

function isImperative(verb: string, rest: string): boolean {
  if (rest.trim() === '') return !WEAK.has(verb);
  return !WEAK.has(verb) ||
    /^ (the|this|that|all|every|our|my|an?|its|these|those) (?!.*\b(what|how)\b)/.test(rest)
    ? !isFigure(verb, rest)
    : false;
}

/**
 * Whether words such as "add the VIX and the yield", "close of GE" or "change in revenue" ask about figures, not for
 * actions.
 */
function isFigure(verb: string, rest: string): boolean {
  if (
    verb === 'add' ||
    verb === 'close' ||
    verb === 'change' ||
    verb === 'increase' ||
    verb === 'drop' ||
    verb === 'move'
  )
    return !/\b(delegation|obligation|invoice|exception|workflow|limit|payment|transaction|policy|batch|user|counterparty)s?\b/.test(
      rest,
    );
  return /^ (of|in|between|from|at)\b/.test(rest);
}

const ADVICE =
  /\b(should|shall|ought) (i|we|one|they)\b|\brecommend|\badvi[cs]e\b|\bwhat (should|would you) (i|we|do|buy|sell)\b|\bworth (buying|selling|investing|holding)\b|\b(good|right|best|bad) (time|moment) to\b|\bis it (wise|smart|safe|sensible|prudent|advisable)\b|\bwould you (buy|sell|invest|hold)\b|\bwhich (stock|stocks|shares?|theme|company|instrument) (should|to|shall|ought)\b|\bsuggest\b|\b(good|bad|better|safe|sound|best|wise) (investment|buy|bet)\b|\bwhat (to|shall|should) (buy|sell|invest)\b|\bany tips\b|\bought\b|\bworth it\b|\bbetter to (buy|sell|hold|invest)\b|\bdoes it make sense to\b|\binvest in\b/;

/** Pairs of words that ask for advice if the second follows the first, with any words between them. */
const ADVICE_PAIRS = [
  [/\b(buy|sell|hold|invest)\b/, /\bor (buy|sell|hold|not|wait)\b/],
  [/\bis /, / (a buy|a sell|a good buy)\b/],
] as const;

function followsOn(text: string, [first, second]: readonly [RegExp, RegExp]): boolean {
  const found = first.exec(text);
  return found !== null && second.test(text.slice(found.index + found[0].length - 1));
}

const OPINION =
  /\b(good|bad|great|nice|poor|solid|healthy|strong|weak|decent|excellent|terrible|well run|well managed|trustworthy|reliable|attractive) (company|business|firm|stock|counterparty|supplier|one|result|performance|quarter|year|shape|bank|partner)\b|\byour (opinion|view|take|thoughts?|feeling|impression|assessment)\b|\bdo you (think|believe|like|feel|reckon|find|prefer|trust)\b|\bwhat do you (think|make of|reckon)\b|\b(overvalued|undervalued|overpriced|underpriced|too (high|low|expensive|cheap|risky|much|big))\b|\bhow do you (feel|see)\b|\bis .* (good|bad|great|risky|safe|healthy|attractive|worrying|impressive|trustworthy|reliable|any good|well run|well managed|a success|in good shape|doing well|cheap|expensive)\b *\??$|\bare you (happy|worried|concerned)\b|\bfavou?rite\b|\bshould (we|i) (worry|be worried|be concerned)\b/;

/** Returns the code of a question that asks for advice or an opinion, or undefined. */
export function judgementOf(question: string): RefusalCode | undefined {
  const text = question
    .toLowerCase()
    .replace(/[-–—,.!]/g, ' ')
    .replace(/\s+/g, ' ');
  if (OPINION.test(text) && !/\b(buy|sell|invest)\b/.test(text)) return 'opinion';
  return ADVICE.test(text) || ADVICE_PAIRS.some((pair) => followsOn(text, pair)) ? 'advice' : undefined;
}
