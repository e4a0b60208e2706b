import type { Member } from './archive.ts';
import { sha256 } from './back-up.ts';

/**
 * Yields the contents of the next members of an archive, which belong to one table. The members are compared with the
 * manifest again, because the file may have changed since it was checked. Calls `refuse` with the name of a member that
 * differs.
 */
export async function* checkedContents(
  expected: readonly { name: string; sha256: string }[],
  members: AsyncGenerator<Member>,
  refuse: (name: string) => never,
): AsyncGenerator<Buffer> {
  for (const { name, sha256: hash } of expected) {
    const { value } = await members.next();
    if (value?.name !== name || sha256(value.content) !== hash) refuse(name);
    yield (value as Member).content;
  }
}
