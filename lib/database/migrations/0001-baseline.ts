import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** The schema files, one per product. Each file comes after the files whose tables it references. */
const products = [
  'access',
  'limits',
  'audit',
  'governance',
  'pipeline',
  'data',
  'models',
  'research',
  'ledger',
  'forecasting',
  'investment',
  'actions',
  'workflows',
  'trust',
  'commercial',
  'ai',
  'intelligence',
  'agents',
  'events',
];

/**
 * The functions that take a table's row type as a parameter. These functions are created after the tables, because the
 * row types must exist.
 */
const afterTables = ['grantee_ends'];

/** The schema of the first release: the files of `lib/database/schema`. */
export class Baseline extends Migration {
  override up(): void {
    // Functions come first, because columns, policies and triggers call them. Their bodies refer to later tables, so
    // the check of the bodies is turned off.
    this.addSql('set local check_function_bodies = off');
    this.addSql(
      functionNames()
        .map((name) => read(`functions/${name}`))
        .join('\n'),
    );
    for (const product of products) this.addSql(read(product));
    for (const name of afterTables) this.addSql(read(`functions/${name}`));
    this.addSql(read('built-in-models'));
    this.addSql('set local check_function_bodies to default');
  }
}

const schema = new URL('../schema/', import.meta.url);

function read(file: string): string {
  return readFileSync(new URL(`${file}.sql`, schema), 'utf8');
}

function functionNames(): string[] {
  return readdirSync(new URL('functions/', schema))
    .map((file) => file.replace(/\.sql$/, ''))
    .filter((name) => !afterTables.includes(name))
    .sort();
}
