import { expect } from 'chai';
import { brotliCompressSync } from 'node:zlib';
import { bundle } from '#api/console/assets.ts';

/** Returns what the modules record when their bundle runs. */
function recorded(files: Readonly<Record<string, string>>): unknown[] {
  const text = bundle('main.ts', (file) => files[file]!);
  const seen: unknown[] = [];
  new Function('record', text)((value: unknown) => seen.push(value));
  return seen;
}

describe('the script of the console', () => {
  it('runs each module once, after the modules that it imports, with names of its own', () => {
    const seen = recorded({
      'main.ts': `import { double } from './math/double.ts';\nimport {\nadd,\none as first,\n} from './math/add.ts';\nconst own = 1;\nrecord(double(add(own, first())));`,
      'math/double.ts': `import { add } from './add.ts';\nconst own = 'double';\nrecord(own);\nexport function double(value) {\nreturn add(value, value);\n}`,
      'math/add.ts': `const own = 'add';\nrecord(own);\nexport function add(a, b) {\nreturn a + b;\n}\nexport function one() {\nreturn 1;\n}`,
    });
    expect(seen).to.deep.equal(['add', 'double', 4]);
  });

  it('refuses a module that imports or exports in another form', () => {
    for (const text of [
      `import other from './other.ts';`,
      'export const value = 1;',
      `export * from './other.ts';`,
    ])
      expect(() => bundle('main.ts', () => text), text).to.throw('cannot be bundled');
  });

  it('is at most 15 kB as it is sent', () => {
    const text = bundle('browser/main.ts');
    expect(() => new Function(text.replaceAll('import.meta', '({})'))).to.not.throw();
    expect(brotliCompressSync(text).length).to.be.within(5_000, 15_000);
  });
});
