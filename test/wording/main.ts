import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findingsIn } from './patterns.ts';
import { sentencesOf } from './prose.ts';

/** Files with examples of hard sentences, golden data, words of questions, or texts of others. */
const FOREIGN =
  /^(?:test\/wording\/|test\/unit\/support\/wording|docs\/develop\/writing|test\/golden\/.*\.(?:json|csv)$|lib\/qlms\/language\/(?:(?:cue|meaning|function)-words|compose-phrases)\.ts$|lib\/ai\/slot-wording\.ts$|.*\.d\.ts$|CHANGELOG)/;

/** Files whose texts are sealed in evidence packs, so they cannot change. */
const SEALED = new Set(['lib/trust/controls.ts', 'workers/trust/control-findings.ts']);

const wanted = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...wanted], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|md)$/.test(file) && !FOREIGN.test(file) && !SEALED.has(file));

// Git still lists a file whose removal is not committed yet.
const sources = files.filter(existsSync).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const findings = sources.flatMap(sentencesOf).flatMap(findingsIn);
for (const { sentence, pattern } of findings)
  process.stdout.write(
    `${sentence.path}:${sentence.line} ${pattern.name}\n  "${sentence.text}"\n  ${pattern.why} Better: ${pattern.better}\n`,
  );
if (findings.length)
  process.stdout.write(`${findings.length} sentences to rewrite; see docs/develop/writing.md\n`);
process.exitCode = findings.length ? 1 : 0;
