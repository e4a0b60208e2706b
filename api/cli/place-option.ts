import { Option } from 'commander';
import { environments } from '#lib/database/base.ts';

/** In which environment of the workspace. */
export function placeOption(): Option {
  return new Option('--environment <environment>', 'of the workspace')
    .choices(environments)
    .default('sandbox');
}
