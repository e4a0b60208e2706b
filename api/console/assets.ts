import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Middleware } from 'koa';

/** The addresses of the files that every page loads. */
export type Assets = {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
};

type Asset = { readonly type: string; readonly text: string; readonly compressed: Buffer };

const root = import.meta.dirname;
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 1.5 18 6v8l-8 4.5L2 14V6z" fill="none" stroke="#2456d6" stroke-width="1.8"/><path d="m6.2 10.2 2.6 2.7 5-5.6" fill="none" stroke="#2456d6" stroke-width="2"/></svg>`;

/**
 * Prepares the files that browsers load: the style sheet, the icon, the verifier of evidence packs, and
 * `browser/main.ts` with the modules that it imports, as one script. The address of a file contains the hash of all files,
 * so browsers may keep a file forever.
 */
export function createAssets(): { urls: Assets; serve: Middleware } {
  const sources = new Map<string, { type: string; text: string }>([
    ['style.css', { type: 'text/css', text: readFileSync(path.join(root, 'style.css'), 'utf8') }],
    ['verify-pack.js', { type: 'text/javascript', text: packVerifier() }],
    ['icon.svg', { type: 'image/svg+xml', text: ICON }],
    ['console.js', { type: 'text/javascript', text: bundle('browser/main.ts') }],
  ]);
  const hash = createHash('sha256');
  for (const [name, { text }] of sources) hash.update(`${name}\n${text}\n`);
  const base = `/console/assets/${hash.digest('hex').slice(0, 12)}`;
  const assets = new Map<string, Asset>(
    [...sources].map(([name, { type, text }]) => [
      `${base}/${name}`,
      { type, text, compressed: brotliCompressSync(text) },
    ]),
  );
  return {
    urls: { style: `${base}/style.css`, icon: `${base}/icon.svg`, script: `${base}/console.js` },
    serve: serveFrom(assets),
  };
}

/**
 * Returns the verifier of evidence packs as a module: the script of the page that verifies packs, without the part that
 * works with that page's elements.
 */
function packVerifier(): string {
  const page = readFileSync(new URL('../../lib/trust/verify-pack.html', import.meta.url), 'utf8');
  const script = page.split('<script>')[1]!.split('</script>')[0]!;
  const own = script.slice(0, script.indexOf('if (globalThis.document)'));
  return `${own}\nexport { verifyPack };\n`;
}

/** A named import of another module of the console, and an exported function: the only forms that the modules use. */
const IMPORT = /^import \{([^}]*)\} from '(\.[^']*)';$/;
const EXPORT = /^export ((?:async )?function (\w+))/;

/**
 * Returns a module and the modules that it imports, directly or indirectly, as one script. Each module is a function, so
 * that the names in it stay its own, and comes after the modules that it imports. Throws if a module imports or exports in
 * another form.
 */
export function bundle(entry: string, read: (file: string) => string = moduleText): string {
  const written = new Map<string, string>();
  const add = (file: string): void => {
    if (written.has(file)) return;
    const exported: string[] = [];
    const lines = read(file)
      .replaceAll(
        /^import \{\n([^}]*)\} from/gm,
        (_, names: string) => `import { ${names.replaceAll('\n', ' ')} } from`,
      )
      .split('\n')
      .map((line) => {
        const [, names, target] = IMPORT.exec(line) ?? [];
        if (target !== undefined) {
          const other = path.posix.join(path.posix.dirname(file), target);
          add(other);
          return `const {${names!.replaceAll(' as ', ': ')}} = modules['${other}'];`;
        }
        const [, declared, name] = EXPORT.exec(line) ?? [];
        if (declared !== undefined) exported.push(name!);
        else if (/^(?:import|export)\b(?!\()/.test(line))
          throw new Error(`${file} cannot be bundled: ${line}`);
        return declared === undefined ? line : line.slice('export '.length);
      });
    written.set(
      file,
      `modules['${file}'] = (() => {\n${lines.join('\n')}\nreturn { ${exported.join(', ')} };\n})();`,
    );
  };
  add(entry);
  return ['const modules = {};', ...written.values()].join('\n');
}

/** Returns a module without types, docstrings and indentation. */
function moduleText(file: string): string {
  return stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\*|\*)/.test(line))
    .join('\n');
}

function serveFrom(assets: ReadonlyMap<string, Asset>): Middleware {
  return async (ctx, next) => {
    const asset = ctx.method === 'GET' || ctx.method === 'HEAD' ? assets.get(ctx.path) : undefined;
    if (!asset) return next();
    ctx.set({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' });
    ctx.type = asset.type;
    const takesBrotli = ctx.acceptsEncodings('br', 'identity') === 'br';
    if (takesBrotli) ctx.set('Content-Encoding', 'br');
    ctx.body = takesBrotli ? asset.compressed : asset.text;
  };
}
