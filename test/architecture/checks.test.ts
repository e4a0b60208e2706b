import { expect } from 'chai';
import { databaseUses } from './adapters.ts';
import { importCycles, reachedFrom, unreachedFiles } from './graph.ts';
import { layerFaults, type Exception } from './layers.ts';
import { packageFaults } from './packages.ts';
import { longFiles, misnamedFiles, misplacedOperations, missingRunFiles, placesOf } from './placement.ts';
import { ambientUses, datesInPureCode, impureImports, unstableOperations } from './purity.ts';
import { codeOf, importsOf, type Source } from './source.ts';

// Each check is run on the fault that it exists to find, because a check that cannot fail proves nothing.
describe('the code checks', () => {
  describe('the check of imports', () => {
    it('finds imports in every form and distinguishes type imports', () => {
      const source = of('lib/a/b.ts', [
        `import plain, { type Braced } from './c.ts';`,
        `import type { Only } from '../d.ts';`,
        `export * from '#lib/e.ts';`,
        `import {\n  several,\n  lines,\n} from "node:fs/promises";`,
        `import '@scope/name/sub.js';`,
        `import data from 'pkg/data.json' with { type: 'json' };`,
        `const lazy = () => import('./f.ts');`,
        `// import { not } from './comment.ts';`,
        `/* import './neither.ts'; */`,
        `export const text = 'x from y';`,
      ]);
      expect(
        importsOf(source).map(({ to, isTypeOnly }) => `${to}${isTypeOnly ? ' (types)' : ''}`),
      ).to.deep.equal([
        'lib/a/c.ts',
        'lib/d.ts (types)',
        'lib/e.ts',
        'node:fs',
        '@scope/name',
        'pkg',
        'lib/a/f.ts',
      ]);
    });

    it('reports imports from a layer or a product that the table forbids to the importing file', () => {
      const bad: [string, string][] = [
        ['lib/core/seal.ts', '#lib/database/base.ts'],
        ['lib/numerics/ridge.ts', '#lib/core/date.ts'],
        ['lib/data/coverage.ts', '#lib/investment/theme-universe.ts'],
        ['lib/database/orm.ts', '#lib/access/person.entity.ts'],
        ['lib/access/provision.ts', '#lib/data/dataset.entity.ts'],
        ['lib/investment/theme.ts', '#lib/forecasting/forecast.ts'],
        ['lib/investment/theme.ts', '#lib/database/orm.ts'],
        ['lib/investment/theme.ts', '#api/runs.ts'],
        ['api/investment/theme-watch.ts', '#lib/numerics/ridge.ts'],
        ['api/investment/theme-watch.ts', '#lib/forecasting/forecast.ts'],
        ['api/investment/theme-watch.ts', '../research/quant/compute.ts'],
        ['api/investment/theme-watch.ts', '#workers/process/runner.ts'],
        ['api/derive/router.ts', '../investment/theme-watch.ts'],
        ['api/derive/router.ts', '#lib/database/orm.ts'],
        ['api/http/body.ts', '../derive/router.ts'],
        ['api/cli/operate/replay.ts', '#workers/process/process.ts'],
        ['api/cli/access/key.ts', '../../process/server.ts'],
        ['api/cli/access/key.ts', '#lib/models/drift/drift-rule.ts'],
        ['api/process/app.ts', '../investment/theme-watch.ts'],
        ['workers/process/process.ts', '#api/runs.ts'],
        ['workers/investment/theme-factors.ts', '../forecasting/forecast.ts'],
        ['workers/investment/theme-factors.ts', '#lib/forecasting/forecast.ts'],
      ];
      for (const [from, to] of bad) {
        expect(layerFaults([of(from, [`import { x } from '${to}';`])], undefined, []), `${from} -> ${to}`)
          .to.have.lengthOf(1)
          .and.to.have.nested.property('[0]')
          .that.matches(/^\S+ imports \S+$/);
      }
    });

    it('accepts type imports but no value imports if the table allows only types', () => {
      const from = 'lib/investment/theme.query.ts';
      const types = [of(from, [`import type { OrmOptions } from '#lib/database/orm.ts';`])];
      const values = [of(from, [`import { type OrmOptions } from '#lib/database/orm.ts';`])];
      expect(layerFaults(types, undefined, [])).to.deep.equal([]);
      expect(layerFaults(values, undefined, [])).to.deep.equal([`${from} imports lib/database/orm.ts`]);
      const others = [of('api/investment/a.ts', [`import type { X } from '#lib/numerics/b.ts';`])];
      expect(layerFaults(others, undefined, [])).to.have.lengthOf(1);
    });

    it('applies exceptions to imports and reports unused exceptions', () => {
      const exception: Exception = { from: 'lib/core/a.ts', to: 'lib/data/b.ts', reason: 'a test' };
      const using = [of('lib/core/a.ts', [`import '#lib/data/b.ts';`])];
      expect(layerFaults(using, undefined, [exception])).to.deep.equal([]);
      expect(layerFaults([], undefined, [exception])).to.deep.equal([
        'nothing needs the exception lib/core/a.ts -> lib/data/b.ts',
      ]);
    });

    it('reports imports from a file outside all layers', () => {
      expect(layerFaults([of('lib/stray.ts', [''])], undefined, [])).to.deep.equal([
        'lib/stray.ts is in no row of the table',
      ]);
    });

    it('reports misplaced packages and packages that are not dependencies', () => {
      const sources = [
        of('lib/core/a.ts', [`import Koa from 'koa';`, `import type { Context } from 'koa';`]),
        of('api/process/app.ts', [`import Koa from 'koa';`, `import left from 'left-pad';`]),
      ];
      expect(packageFaults(sources, ['koa'])).to.deep.equal([
        'lib/core/a.ts imports koa, whose place is api/, lib/ops/',
        'api/process/app.ts imports left-pad, which is not a dependency',
      ]);
    });
  });

  describe('the check of adapters', () => {
    const uses = (path: string, line: string) => databaseUses([of(path, [line])], []);

    it('rejects a transaction in the command line', () => {
      expect(uses('api/cli/a.ts', 'operator.query(place, (em) => read(em));')).to.deep.equal([
        'api/cli/a.ts:1 em',
      ]);
      expect(uses('api/cli/a.ts', `import { X } from '#lib/a/x.entity.ts';`)).to.have.lengthOf(1);
      expect(uses('api/cli/a.ts', `import type { X } from '#lib/a/x.entity.ts';`)).to.deep.equal([]);
    });

    it('allows the API to pass its transaction to queries, but to nothing else', () => {
      expect(uses('api/a/b.ts', 'rows: (em, page) => listRows(em, page),')).to.deep.equal([]);
      expect(uses('api/a/b.ts', 'await em.find(Row);')).to.deep.equal(['api/a/b.ts:1 em.']);
      expect(uses('api/a/b.ts', `import { sql } from 'kysely';`)).to.have.lengthOf(1);
    });
  });

  describe('the graph', () => {
    const circle = [
      of('lib/a/a.ts', [`import './b.ts';`]),
      of('lib/a/b.ts', [`import './c.ts';`, `import type { A } from './a.ts';`]),
      of('lib/a/c.ts', [`import './b.ts';`]),
      of('lib/a/d.ts', [`import './a.ts';`]),
    ];

    it('reports each import cycle once, including cycles closed by type imports', () => {
      expect(importCycles(circle)).to.deep.equal(['lib/a/b.ts -> lib/a/c.ts', 'lib/a/a.ts -> lib/a/b.ts']);
    });

    it('reports files that no entry file imports, directly or indirectly', () => {
      expect(unreachedFiles(circle, ['lib/a/a.ts'])).to.deep.equal(['lib/a/d.ts']);
      expect(unreachedFiles(circle, ['lib/a/d.ts'])).to.deep.equal([]);
    });

    it('follows all value imports, and type imports on request', () => {
      const sources = [of('lib/a/a.ts', [`import type { B } from './b.ts';`]), of('lib/a/b.ts', [''])];
      expect([...reachedFrom(sources, ['lib/a/a.ts'])]).to.deep.equal(['lib/a/a.ts']);
      expect([...reachedFrom(sources, ['lib/a/a.ts'], { typesToo: true })]).to.have.lengthOf(2);
    });
  });

  describe('purity', () => {
    it('reports a direct or indirect side effect in rules and numerics', () => {
      const sources = [
        of('lib/forecasting/forecast.ts', [`import '#lib/core/far.ts';`]),
        of('lib/core/far.ts', [`import { readFileSync } from 'node:fs';`]),
        of('lib/numerics/mean.ts', [`import { hash } from 'node:crypto';`]),
        of('lib/forecasting/plan.ts', [
          `import { p } from '@mikro-orm/core';`,
          `import { sql } from 'kysely';`,
        ]),
        of('lib/forecasting/forecast.query.ts', [`import { sql } from 'kysely';`]),
        of('lib/forecasting/typed.ts', [`import type { Client } from 'pg';`]),
        of('lib/forecasting/hashed.ts', [`import { sha256 } from '#lib/core/seal.ts';`]),
        of('lib/core/seal.ts', [`import { hash } from 'node:crypto';`]),
      ];
      expect(impureImports(sources, [])).to.deep.equal([
        'lib/forecasting/forecast.ts reaches node:fs through lib/core/far.ts',
        'lib/numerics/mean.ts reaches node:crypto',
        'lib/forecasting/plan.ts reaches @mikro-orm/core',
        'lib/forecasting/plan.ts reaches kysely',
      ]);
    });

    it('applies permits to files and folders and reports unused permits', () => {
      const permits = ['lib/data/import/', 'lib/data/door.ts'].map((at) => ({
        at,
        what: 'imports',
        reason: 'a test',
      }));
      const using = [
        of('lib/data/import/copy.ts', [`import 'node:fs';`, 'Date.now();']),
        of('lib/data/import-like.ts', [`import 'node:fs';`]),
      ];
      expect(impureImports(using, permits)).to.deep.equal([
        'lib/data/import-like.ts reaches node:fs',
        'lib/data/door.ts no longer needs imports',
      ]);
      expect(datesInPureCode(using, permits)).to.deep.equal([]);
    });

    it('rejects use of the clock', () => {
      const text = ['const a = new Date(0);', 'const b = Date.now();', 'const c = performance.now();'];
      expect(
        datesInPureCode([of('lib/forecasting/forecast.ts', text), of('lib/forecasting/a.entity.ts', text)]),
      ).to.deep.equal([
        'lib/forecasting/forecast.ts:1 new Date(',
        'lib/forecasting/forecast.ts:2 Date.now',
        'lib/forecasting/forecast.ts:3 performance.now',
      ]);
    });

    it('finds uses of time, randomness and the environment in code, but not in comments and strings', () => {
      const source = of('api/a.ts', [
        '// Date.now, Math.random and process.env',
        `const words = 'Date.now()' + \`process.env \${Math.random()}\`;`,
        'const now = new Date();',
        'const then = new Date(0);',
        'const home = process.env["HOME"];',
        'const id = randomUUID();',
      ]);
      expect(ambientUses([source], [])).to.deep.equal([
        'api/a.ts:2 Math.random',
        'api/a.ts:3 new Date()',
        'api/a.ts:5 process.env',
        'api/a.ts:6 randomUUID(',
      ]);
    });

    it('limits a permit to one name in one file and reports unused permits', () => {
      const permit = { at: 'api/a.ts', what: 'Date.now', reason: 'a test' };
      expect(ambientUses([of('api/a.ts', ['Date.now()'])], [permit])).to.deep.equal([]);
      expect(ambientUses([of('api/b.ts', ['Date.now()'])], [permit])).to.deep.equal([
        'api/b.ts:1 Date.now',
        'api/a.ts no longer needs Date.now',
      ]);
    });
  });

  describe('code that computes sealed results', () => {
    const unstable = [
      'x ** 2',
      'x **= 2',
      'Math.pow(x, 2)',
      'Math.exp(x)',
      'Math.expm1(x)',
      'Math.log(x)',
      'Math.log1p(x)',
      'Math.log2(x)',
      'Math.log10(x)',
      'Math.sin(x)',
      'Math.cos(x)',
      'Math.tan(x)',
      'Math.atan2(x, 1)',
      'Math.tanh(x)',
      'Math.hypot(x, y)',
      'Math.cbrt(x)',
      'Math.random()',
      'Math["pow"](x, 2)',
      'const { pow } = Math',
      'a.localeCompare(b)',
      'x.toFixed(2)',
      'x.toLocaleString()',
      'new Intl.NumberFormat()',
      'rows.sort()',
      'rows.toSorted()',
      'Object.keys(x).sort( )',
      'for (const key in x) y += 1',
    ];
    const stable = [
      'x * x',
      'Math.sqrt(Math.abs(x))',
      'Math.floor(Math.max(x, 1))',
      'Math.imul(x, 3)',
      'rows.sort(compareText)',
      'rows.toSorted((a, b) => a - b)',
      'Float64Array.from(values).sort()',
      'new Float64Array(8).sort()',
      'for (const key of x) y += 1',
      '// x ** 2 and Math.pow',
      '/** bold **/',
      `'Math.pow'`,
      'const found = /x**/.test(y)',
    ];

    for (const line of unstable) {
      it(`rejects ${line}`, () => {
        expect(unstableOperations([of('lib/numerics/a.ts', [line])], [])).to.have.lengthOf(1);
      });
    }

    it('allows operations that give the same result on every engine', () => {
      expect(unstableOperations([of('lib/numerics/a.ts', stable)], [])).to.deep.equal([]);
    });

    it('includes exactly the files that a computation imports, directly or indirectly', () => {
      const sources = [
        of('workers/forecasting/forecast.compute.ts', [`import '#lib/forecasting/forecast.ts';`]),
        of('lib/forecasting/forecast.ts', ['export const a = 2 ** 3;']),
        of('lib/forecasting/other.ts', ['export const a = 2 ** 3;']),
        of('lib/core/date.ts', ['export const a = Math.cbrt(3);']),
      ];
      expect(unstableOperations(sources, [])).to.deep.equal([
        'lib/forecasting/forecast.ts:1 **',
        'lib/core/date.ts:1 Math',
      ]);
    });
  });

  describe('the check of file locations and names', () => {
    it('derives the file of an operation from its path', () => {
      expect(placesOf('/investment/theme-watch/factors/{uid}')).to.deep.equal(['api/investment/theme-watch']);
      expect(placesOf('/ml/anomaly')).to.include('api/models/ml');
      expect(placesOf('/lqm/models/{uid}/drift-assessments')).to.include('api/models/lqm');
      expect(placesOf('/workspace')).to.deep.equal(['api/access/workspace']);
      expect(placesOf('/benchmarking/comparisons')).to.deep.equal(['api/benchmarking/comparisons']);
      expect(placesOf('/quant/compute/strategies/check')).to.deep.equal(['api/quant/strategies']);
      expect(placesOf('/quant/compute/jobs/{uid}')).to.deep.equal(['api/research/quant']);
      expect(placesOf('/nowhere')).to.deep.equal([]);
    });

    it('reports an operation in another file', () => {
      const path = '/investment/portfolios/{portfolio}/construct';
      const placed = ['portfolios.ts', 'portfolios/construct.ts', 'reports.ts'].map((name) => ({
        file: `api/investment/${name}`,
        key: name,
        path,
      }));
      expect(misplacedOperations(placed)).to.deep.equal([
        'reports.ts is in api/investment/reports.ts, not in api/investment/portfolios.ts',
      ]);
    });

    it('reports runs without files and declarations that are not runs', () => {
      const files = ['workers/a/b.ts', 'lib/a/b.run.ts', 'lib/a/c.run.ts'];
      expect(missingRunFiles(files, { runs: ['a.b'], periodic: ['m.sweep'] })).to.deep.equal([
        'workers/a/b.compute.ts is missing',
        'workers/**/sweep.ts is missing',
        'lib/a/c.run.ts declares no run of lib/runs.ts',
      ]);
    });

    it('requires kebab-case names and at most 400 lines, except for migrations', () => {
      expect(
        misnamedFiles(['lib/a/camelCase.ts', 'lib/A/b.ts', 'lib/a/a-b.run.ts', 'lib/a/a_b.ts']),
      ).to.deep.equal(['lib/a/camelCase.ts', 'lib/A/b.ts', 'lib/a/a_b.ts']);
      const long = 'x\n'.repeat(401);
      expect(
        longFiles([
          { path: 'lib/a.ts', text: long },
          { path: 'lib/b.ts', text: long.slice(2) },
          { path: 'lib/database/migrations/c.ts', text: long },
        ]),
      ).to.deep.equal(['lib/a.ts has 401 lines']);
    });
  });

  it('ignore comments and the content of literals', () => {
    const text = [
      'const a = `x ${b + `y ${"}"} z`} // no comment`; // comment',
      `const c = d / e / f; /* 'quote' */`,
      `const g = /[/"]'/.exec(h) ?? '\\'i';`,
    ].join('\n');
    expect(codeOf(text)).to.equal(
      [
        'const a = `  ${b + `  ${" "}  `}              `;           ',
        `const c = d / e / f;              `,
        `const g = /     /.exec(h) ?? '   ';`,
      ].join('\n'),
    );
  });
});

function of(path: string, lines: readonly string[]): Source {
  return { path, text: lines.join('\n') };
}
