import { causesOf } from './causes.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const DETAIL = /^(moving|moved) (https?:\/\/\S+)$/;

/** The state of a workspace that is being moved to another cell or has been moved, and the address of that cell. */
export type Rest = { state: 'moving' | 'moved'; address: string };

/**
 * Returns the state of the workspace if the database refused a write because the workspace rests. The move can begin
 * between the check of a request and its write.
 */
export function restOf(error: unknown): Rest | undefined {
  for (const { code, detail } of causesOf(error)) {
    const found = code === INSUFFICIENT_PRIVILEGE && typeof detail === 'string' && DETAIL.exec(detail);
    if (found) return { state: found[1] as Rest['state'], address: found[2]! };
  }
  return undefined;
}
