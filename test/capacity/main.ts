import { writeFileSync } from 'node:fs';
import { measure } from './measure/measure.ts';
import { closeHosts } from '../support/cli-hosts.ts';
const m = await measure({
  queue: (process.argv[2] ?? 'redis') as 'redis',
  quick: process.argv[3] === 'quick',
  notify: (l) => process.stderr.write(l + '\n'),
});
await closeHosts();
writeFileSync('/tmp/i27cap-measured.json', JSON.stringify(m, null, 2));
console.log(JSON.stringify(m, null, 1));
