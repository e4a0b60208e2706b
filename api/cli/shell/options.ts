import { InvalidArgumentError, Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { isScope, scopes as allScopes } from '#lib/core/scope.ts';
import { environments } from '#lib/database/base.ts';
import { Refusal } from '#lib/core/refusal.ts';

const FIELD_CHARACTERS_MAX = 200;
const LIST_MAX = 1_000;

/** Adds `--json`, with which a command prints one JSON document instead of a table. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document');
}

/** Returns the option for the environment of a command. */
export function environmentOption(when?: string): Option {
  const what = 'the environment';
  return new Option('--environment <environment>', when ? `${what} (${when})` : what).choices(environments);
}

/** Splits a comma-separated text such as `a,b` into its elements. */
export function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Parses `all` or a list of scopes. */
export function scopeList(text: string): string[] {
  if (text === 'all') return [...allScopes];
  const unknown = words(text).filter((word) => !isScope(word));
  if (unknown.length) throw new Refusal('unknown_scope', `unknown scopes: ${unknown.join(', ')}`);
  return words(text);
}

export function checkText(name: string, text: string): string {
  if (text.trim() === '' || text !== text.trim() || text.length > FIELD_CHARACTERS_MAX) {
    throw new Refusal(
      'invalid_text',
      `${name} takes 1 to ${FIELD_CHARACTERS_MAX} characters without leading or trailing spaces`,
    );
  }
  return text;
}

/** Parses an instant with its offset, such as 2027-06-30T00:00:00Z. */
export function parseInstant(name: string, text: string): Date {
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const instant = new Date(isInstant ? text : NaN);
  if (Number.isNaN(instant.getTime())) {
    throw new Refusal('invalid_instant', `${name} takes an instant such as 2027-06-30T00:00:00Z`);
  }
  return instant;
}

/** Parses an instant in the future. */
export function futureInstant(name: string, text: string): Date {
  const instant = parseInstant(name, text);
  if (instant <= systemClock.now()) {
    throw new Refusal('invalid_instant', `${name} must be a future instant, such as 2027-06-30T00:00:00Z`);
  }
  return instant;
}

/** Returns the option for the number of rows that a list prints. */
export function limitOption(usual: number): Option {
  return new Option('--limit <number>', `the maximum number of rows, 1 to ${LIST_MAX}`)
    .argParser(parseLimit)
    .default(usual);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_MAX) {
    throw new InvalidArgumentError(`takes 1 to ${LIST_MAX}`);
  }
  return limit;
}
