import { expect } from 'chai';
import { Seats } from '#lib/limits/seats.ts';

describe('the seats of waiting requests', () => {
  it('are limited for each caller and in total until they are released', () => {
    const seats = new Seats(3);
    const first = seats.take('a', 2);
    expect(first).to.have.property('giveBack');
    expect(seats.take('a', 2)).to.have.property('giveBack');
    expect(seats.take('a', 2)).to.deep.equal({ bound: 2, of: 'application' });
    expect(seats.take('b', 2)).to.have.property('giveBack');
    expect(seats.take('c', 2)).to.deep.equal({ bound: 3, of: 'process' });
    if ('giveBack' in first) first.giveBack();
    expect(seats.take('c', 2)).to.have.property('giveBack');
  });
});
