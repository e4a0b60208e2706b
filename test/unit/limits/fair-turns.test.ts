import { expect } from 'chai';
import fc from 'fast-check';
import { FairTurns } from '#lib/limits/fair-turns.ts';

const never = new AbortController().signal;

/** Requests turns, and ends them one by one. `served` names the requests in the order of their turns. */
function resource(bounds: { waitingMax: number; shareMax: number }) {
  const turns = new FairTurns(bounds);
  const served: string[] = [];
  let end: (() => void) | undefined;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    served,
    request(name: string, signal = never) {
      const turn = turns.take(name.slice(0, 1), signal);
      if ('bound' in turn) return turn;
      const begin = async () => {
        end = await turn.begun;
        served.push(name);
      };
      return { begun: begin() };
    },
    async serveAll() {
      await settle();
      for (let last = end; last; last = end) {
        end = undefined;
        last();
        await settle();
      }
    },
  };
}

describe('FairTurns', () => {
  it('serve callers in rotation, and the requests of one caller in order', async () => {
    const { request, served, serveAll } = resource({ waitingMax: 16, shareMax: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) request(name);
    await serveAll();
    expect(served).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('are refused beyond the share of one caller and beyond the total number of places', async () => {
    const { request, served, serveAll } = resource({ waitingMax: 3, shareMax: 2 });
    for (const name of ['a1', 'a2', 'a3']) expect(request(name), name).to.have.property('begun');
    expect(request('a4')).to.deep.equal({ bound: 2, of: 'caller' });
    expect(request('b1')).to.have.property('begun');
    expect(request('c1')).to.deep.equal({ bound: 3, of: 'all' });
    await serveAll();
    expect(served).to.deep.equal(['a1', 'a2', 'b1', 'a3']);
    expect(request('c2')).to.have.property('begun');
    await serveAll();
    expect(served.at(-1)).to.equal('c2');
  });

  it('free the place of a request that is aborted while it waits', async () => {
    const { request, served, serveAll } = resource({ waitingMax: 2, shareMax: 1 });
    const left = new AbortController();
    request('a1');
    const waiting = request('a2', left.signal);
    expect(request('a3')).to.deep.equal({ bound: 1, of: 'caller' });
    left.abort(new Error('gone'));
    const failed = await ('begun' in waiting ? waiting.begun : undefined)?.catch((error: Error) => error);
    expect(failed).to.be.an('error').with.property('message', 'gone');
    expect(request('a4')).to.have.property('begun');
    await serveAll();
    expect(served).to.deep.equal(['a1', 'a4']);
  });

  it('reject a request whose signal is already aborted, without using a turn', async () => {
    const turns = new FairTurns({ waitingMax: 1, shareMax: 1 });
    const turn = turns.take('a', AbortSignal.abort('gone'));
    const reason = await ('begun' in turn ? turn.begun.catch((error: unknown) => error) : undefined);
    expect(reason).to.equal('gone');
    expect(turns.take('b', never)).to.have.property('begun');
  });

  it('delay a caller by at most one turn of each other caller', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(names, async (owners) => {
        const { request, served, serveAll } = resource({ waitingMax: 100, shareMax: 100 });
        owners.forEach((owner, at) => request(`${owner}${String(at).padStart(2, '0')}`));
        await serveAll();
        expect(served.toSorted()).to.have.length(owners.length);
        // Between two consecutive turns of one caller, each other caller has at most one turn.
        const waiting = served.slice(1).map((name) => name[0]!);
        waiting.forEach((owner, at) => {
          const next = waiting.indexOf(owner, at + 1);
          const between = waiting.slice(at + 1, next < 0 ? at + 1 : next);
          expect(new Set(between).size, served.join()).to.equal(between.length);
        });
        for (const owner of new Set(owners)) {
          const own = served.filter((name) => name.startsWith(owner));
          expect(own).to.deep.equal(own.toSorted());
        }
      }),
    );
  });
});
