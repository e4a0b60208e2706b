import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { published } from '#api/pages/published.ts';
import { events, manifests, prefixes, problems, products, scopes, served, tables } from '#lib/products.ts';
import { rowsOf } from './placement.ts';
import { foldersOf, manifestOf } from './products.ts';

/** Folders of `lib/` that are not products and declare nothing. */
const undeclared = new Set(['client', 'core', 'database', 'numerics', 'sample']);

const root = new URL('../../', import.meta.url);

describe('the manifests', () => {
  // The compiler rejects duplicate scopes, prefixes, problems and tables. This test also covers names that the compiler
  // does not check, such as paths and events.
  it('declare each name once', () => {
    const named = {
      folders: manifests.map(({ folder }) => folder),
      code: manifests.flatMap(foldersOf),
      paths: served.map(({ path }) => path),
      scopes: manifests.flatMap(({ scopes: own = [] }) => own),
      prefixes: manifests.flatMap(({ prefixes: own = {} }) => Object.keys(own)),
      'public ids': manifests.flatMap(({ prefixes: own = {} }) => Object.values(own)),
      problems: manifests.flatMap(({ problems: own = {} }) => Object.keys(own)),
      tables: manifests.flatMap(({ tables: own = {} }) => Object.keys(own)),
      events: events.map(({ op }) => op),
    };
    for (const [what, names] of Object.entries(named)) {
      expect(
        names.filter((name, at) => names.indexOf(name) !== at),
        `${what} that are declared twice`,
      ).to.deep.equal([]);
    }
  });

  it('merge their tables without loss', () => {
    const count = (part: 'scopes' | 'prefixes' | 'problems' | 'tables') =>
      manifests.reduce((sum, manifest) => sum + Object.keys(manifest[part] ?? {}).length, 0);
    expect(scopes).to.have.lengthOf(count('scopes'));
    for (const [part, table] of Object.entries({ prefixes, problems, tables })) {
      expect(Object.keys(table), part).to.have.lengthOf(count(part as 'prefixes'));
    }
  });

  it('describe each product of the published interface once', () => {
    const said = manifests.flatMap(({ serves = {} }) =>
      Object.entries(serves).flatMap(([product, { about }]) => (about === undefined ? [] : [product])),
    );
    expect(said).to.have.members(products);
  });

  it('name only existing products and only existing scopes for their events', () => {
    const folders = manifests.map(({ folder }) => folder);
    for (const { folder, uses = [] } of manifests) {
      expect(folders, folder).to.include.members([...uses]);
      expect(uses, folder).not.to.include(folder);
    }
    for (const { op, scope } of events) expect(scopes, op).to.include(scope);
  });

  it('are each in the folder that they name', () => {
    for (const { folder } of manifests) {
      expect(existsSync(new URL(`lib/${folder}/product.ts`, root)), folder).to.equal(true);
    }
  });

  it('cover every folder of lib', () => {
    const folders = readdirSync(new URL('lib/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !undeclared.has(entry.name))
      .map(({ name }) => name);
    const declared = new Set(manifests.flatMap(({ folder, code = [] }) => [folder, ...code]));
    expect(folders.filter((folder) => !declared.has(folder))).to.deep.equal([]);
  });

  it('assign a file to the product with the longest matching folder', () => {
    expect(manifestOf('lib/ledger/balances.ts')?.folder).to.equal('ledger');
    expect(manifestOf('lib/forecasting/forecasts.run.ts')?.folder).to.equal('forecasting');
    expect(manifestOf('workers/models/trainings.ts')?.folder).to.equal('models');
    expect(manifestOf('lib/core/date.ts')).to.equal(undefined);
  });

  for (const { key, product, path } of [
    ...published.map((row) => ({ ...row, path: row.path.replace(/^\/api(\/v2)?/, '') })),
    ...catalog.filter(({ addition }) => addition),
  ]) {
    it(`assign ${key} to ${product} only`, () => {
      expect(rowsOf(path).map((row) => row.product)).to.deep.equal([product]);
    });
  }
});
