import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findingsIn } from './patterns.ts';
import { sentencesOf } from './prose.ts';

/** Files whose words are an input or the words of others. */
const FOREIGN = /^(?:test\/wording\/|test\/golden\/.*\.(?:json|csv)$|.*\.d\.ts$|CHANGELOG)/;

const wanted = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...wanted], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|md)$/.test(file) && !FOREIGN.test(file));

// A file that was removed and not yet committed is still listed.
const sources = files.filter(existsSync).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const findings = sources.flatMap(sentencesOf).flatMap(findingsIn);
for (const { sentence, pattern } of findings)
  process.stdout.write(
    `${sentence.path}:${sentence.line} ${pattern.name}\n  "${sentence.text}"\n  ${pattern.why} Better: ${pattern.better}\n`,
  );
if (findings.length)
  process.stdout.write(`${findings.length} sentences to rewrite; see docs/develop/writing.md\n`);
process.exitCode = findings.length ? 1 : 0;
