import { expect } from 'chai';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';

/** A pack of evidence, made as a caller makes one. Its uid. */
export async function createPack(backend: Backend, { key }: Tenancy): Promise<string> {
  return (await sealPackOf(backend, key)).uid;
}

/** The pack that a caller gets who asks for one. */
// oxlint-disable-next-line no-explicit-any -- what comes over the wire is what the tests look at
export async function sealPackOf(backend: Backend, key: string): Promise<any> {
  const { status, body } = await clientOf(backend, key).post('/trust/evidence-packs');
  expect(status, JSON.stringify(body)).to.equal(201);
  return body;
}
