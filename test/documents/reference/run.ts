import { writeFileSync } from 'node:fs';
import { referencePages } from './pages.ts';

for (const [file, text] of Object.entries(await referencePages())) writeFileSync(file, text);
