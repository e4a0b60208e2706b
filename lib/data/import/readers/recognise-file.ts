import { columnedKinds, columnsOf, type ColumnedKind } from './columns-of.ts';
import { readHeader, type Columns } from './columns.ts';
import { splitCsvLine } from './csv-line.ts';
import { lineBlocks } from './csv-source.ts';
import { ImportRefused } from '../load/import-refused.ts';
import { NO_MAPPING, type Mapping } from './mapping.ts';

/**
 * The result of reading a header as one kind of file: the meaning of each column, or the reasons why the header does
 * not fit the kind.
 */
export type Recognised = { kind: ColumnedKind; columns: RecognisedColumn[]; refusals: string[] };
export type RecognisedColumn = { name: string; meaning: string };

/** Reads only the header of a file. Returns the result for each kind of file. */
export async function recogniseFile(path: string, mapping: Mapping = NO_MAPPING): Promise<Recognised[]> {
  const names = await headerOf(path);
  return columnedKinds.map((kind) => {
    try {
      const columns = readHeader(names, columnsOf[kind], 1, mapping);
      return { kind, columns: meaningsOf(columns), refusals: [] };
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      const refusals = error.errors.map(
        ({ column, reason }) => `${column ?? ''} ${reason.split('; known')[0]}`,
      );
      return { kind, columns: [], refusals };
    }
  });
}

async function headerOf(path: string): Promise<string[]> {
  for await (const { lines } of lineBlocks(path)) {
    const line = lines.find((each) => each !== '');
    const names = line === undefined ? undefined : splitCsvLine(line);
    if (names) return names;
    if (line !== undefined) break;
  }
  throw new ImportRefused('import_refused', `${path} does not have a readable header`);
}

function meaningsOf({ names, at, spread }: Columns): RecognisedColumn[] {
  return names.map((name, place) => {
    const column = spread?.columns.find((each) => each.at === place);
    if (column) return { name, meaning: spreadMeaning(column.series, column.knownAt) };
    const [ours] = [...at].find(([, where]) => where === place) ?? [];
    return { name, meaning: ours ?? 'ignored' };
  });
}

function spreadMeaning(series: string, knownAt: string | undefined): string {
  return `value of ${series}${knownAt === undefined ? '' : `, known at ${knownAt}`}`;
}
