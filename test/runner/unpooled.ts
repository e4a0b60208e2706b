/**
 * The live tests that `--pooler` leaves out, because they cannot pass behind a pooler in transaction mode, each with the
 * reason. `test/full/pooler.test.ts` tests the behaviour behind a pooler instead.
 */
export const unpooled: Readonly<Record<string, string>> = {
  'test/live/cli/doctor.test.ts':
    'it counts processes by the names of their connections, and a pooler shares its connections among processes',
};
