import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { isUid } from '#lib/core/id.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Backend } from '../support/backends.ts';
import { call } from './call.ts';

/** Makes a resource as its owner would, and answers its uid. */
type Maker = (backend: Backend, key: string) => Promise<string>;

/**
 * How a resource under each path is made. A path with a parameter, and a list, of which no row here knows fails the
 * contract tests: add the row.
 */
const makers: Record<string, Maker> = {
  '/investment/theme-watch/factors': submitThemeFactors,
  '/quant/compute/jobs': submitThemeFactors,
};

/** A new resource that the operation can be called on, or that its list shows. */
export async function make(backend: Backend, operation: Operation, key: string): Promise<string> {
  const [place, maker] = Object.entries(makers).find(([path]) => operation.path.startsWith(path)) ?? [];
  expect(
    place,
    `test/contract/resources.ts does not say how a resource of ${operation.path} is made`,
  ).to.be.a('string');
  return maker!(backend, key);
}

/** The run may have ended by the time of the answer, refused for want of data: it is there all the same. */
async function submitThemeFactors(backend: Backend, key: string): Promise<string> {
  const operation = catalog.find((each) => each.key === 'investment.theme_watch.factors.create')!;
  const answer = await call(backend, operation, { key, body: {}, headers: { prefer: 'respond-async' } });
  const uid = answer.headers.get('location')?.split('/').at(-1);
  expect(uid && isUid(uid), JSON.stringify(answer.body)).to.equal(true);
  return uid!;
}
