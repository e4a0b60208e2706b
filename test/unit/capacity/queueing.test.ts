import { expect } from 'chai';
import { waitOfConstant, waitOfMarkovian, waitQuantileOfMarkovian } from '../../capacity/queueing.ts';

describe('the formulas of queues', () => {
  it('give the mean wait of M/M/1: load / (1 - load) service times', () => {
    for (const load of [0, 0.25, 0.5, 0.9])
      expect(waitOfMarkovian({ servers: 1, load, service: 2 })).to.be.closeTo((2 * load) / (1 - load), 1e-12);
  });

  // C(2, a) = a^2 / (2 + a) with a = 2 x load, from Erlang's formula for two servers.
  it('give the mean wait of M/M/2, whose formula is short', () => {
    for (const load of [0.1, 0.5, 0.8]) {
      const offered = 2 * load;
      const waits = offered ** 2 / (2 + offered);
      expect(waitOfMarkovian({ servers: 2, load, service: 1 })).to.be.closeTo(
        waits / (2 * (1 - load)),
        1e-12,
      );
    }
  });

  it('give the published probability of a wait for 10 servers at a load of 0.8', () => {
    // Erlang C of 10 servers and 8 erlangs is 0.4092; the mean wait is C / (10 x (1 - 0.8)).
    expect(waitOfMarkovian({ servers: 10, load: 0.8, service: 1 }) * 2).to.be.closeTo(0.4092, 5e-5);
  });

  it('give half the wait of M/M/1 if the service always takes the same time', () => {
    for (const load of [0.2, 0.7])
      expect(waitOfConstant({ load, service: 3 })).to.be.closeTo(
        waitOfMarkovian({ servers: 1, load, service: 3 }) / 2,
        1e-12,
      );
  });

  it('give quantiles of the wait: 0 for those who do not wait, and ln(load / (1 - share)) service times', () => {
    const queue = { servers: 1, load: 0.5, service: 1 };
    expect(waitQuantileOfMarkovian(queue, 0.5)).to.equal(0);
    expect(waitQuantileOfMarkovian(queue, 0.99)).to.be.closeTo(2 * Math.log(50), 1e-12);
  });

  it('stay finite for hundreds of servers, and refuse a load of 1', () => {
    expect(waitOfMarkovian({ servers: 500, load: 0.99, service: 1 })).to.be.within(0, 1);
    expect(() => waitOfMarkovian({ servers: 1, load: 1, service: 1 })).to.throw(RangeError);
    expect(() => waitOfConstant({ load: 1, service: 1 })).to.throw(RangeError);
  });
});
