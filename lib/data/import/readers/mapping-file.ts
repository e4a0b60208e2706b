import { isObject } from '#lib/core/is-object.ts';
import { readFile } from 'node:fs/promises';
import type { ColumnRules } from './columns.ts';
import { isDateFormat } from './date-format.ts';
import { ImportRefused } from '../load/import-refused.ts';
import { NO_MAPPING, withConstants, type Mapping } from './mapping.ts';

const MEMBERS = ['columns', 'constants', 'date_format'];
const BYTES_MAX = 1024 * 1024;

/**
 * Returns the mapping of an import: the mapping file, completed with the values for all rows. Returns undefined if
 * neither a mapping file nor such values are given.
 */
export async function mappingOf(
  rules: ColumnRules,
  { mapping, symbol, key }: { mapping?: string; symbol?: string; key?: string },
): Promise<Mapping | undefined> {
  if (mapping === undefined && symbol === undefined && key === undefined) return undefined;
  const read = mapping === undefined ? NO_MAPPING : await readMapping(mapping, rules);
  return withConstants(read, { symbol, series: key });
}

/** Reads a mapping file. Reports each error with a JSON pointer. */
export async function readMapping(path: string, rules: ColumnRules): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new ImportRefused('file_unreadable', `${path} cannot be read: ${cause.message}`, { cause });
  });
  if (text.length > BYTES_MAX) throw invalid(path, ['is longer than 1 MiB']);
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw invalid(path, [`is not JSON: ${(error as Error).message}`]);
  }
  const faults = faultsOf(content, rules);
  if (faults.length) throw invalid(path, faults);
  const { columns = {}, constants = {}, date_format: dateFormat } = content as MappingFile;
  return { columns, constants, dateFormat };
}

type MappingFile = {
  columns?: Record<string, string | null>;
  constants?: Record<string, string>;
  date_format?: string;
};

function faultsOf(content: unknown, rules: ColumnRules): string[] {
  if (!isObject(content)) return ['is not an object with columns, constants and date_format'];
  const ours = [...rules.required, ...(rules.optional ?? [])];
  const knownAre = `known columns are ${ours.join(', ')}`;
  const faults = Object.keys(content)
    .filter((name) => !MEMBERS.includes(name))
    .map((name) => `${pointer(name)} is unknown; known members are ${MEMBERS.join(', ')}`);
  const { columns = {}, constants = {}, date_format: format } = content;
  const targets = new Map<string, string>();
  if (!isObject(columns)) faults.push('/columns is not an object');
  else {
    for (const [theirs, to] of Object.entries(columns)) {
      const at = pointer('columns', theirs);
      if (to === null) continue;
      if (typeof to !== 'string') faults.push(`${at} is neither a known column nor null`);
      else if (!ours.includes(to)) faults.push(`${at} names the unknown column ${to}; ${knownAre}`);
      else if (targets.has(to)) faults.push(`${at} names ${to}, which ${targets.get(to)} already names`);
      else targets.set(to, at);
    }
  }
  if (!isObject(constants)) faults.push('/constants is not an object');
  else {
    for (const [name, value] of Object.entries(constants)) {
      const at = pointer('constants', name);
      if (!ours.includes(name)) faults.push(`${at} is not a known column; ${knownAre}`);
      else if (typeof value !== 'string') faults.push(`${at} is not a string`);
      else if (targets.has(name)) faults.push(`${at} is already set by ${targets.get(name)}`);
    }
  }
  if (format !== undefined && !(typeof format === 'string' && isDateFormat(format)))
    faults.push('/date_format must contain YYYY, MM and DD once each, such as MM/DD/YYYY');
  return faults;
}

function invalid(path: string, faults: readonly string[]): ImportRefused {
  return new ImportRefused('mapping_invalid', `the mapping ${path}: ${faults.join('; ')}`);
}

function pointer(...names: string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
