import { expect } from 'chai';
import { Cluster, type SentinelConnector } from 'ioredis';
import { readConfig } from '#lib/core/config.ts';
import { openServers, redisConnection, sentinelOptions } from '#lib/core/redis.ts';

const ALL =
  'redis+sentinel://app:p%40ss@one:26380,[::1],three:26382/assay/2?sentinelUsername=watch&sentinelPassword=s%26t';

describe('the URL of a Redis', () => {
  it('of Sentinels names them, their master, its database, and both passwords', () => {
    expect(sentinelOptions(ALL)).to.deep.include({
      sentinels: [
        { host: 'one', port: 26_380 },
        { host: '::1', port: 26_379 },
        { host: 'three', port: 26_382 },
      ],
      name: 'assay',
      db: 2,
      username: 'app',
      password: 'p@ss',
      sentinelUsername: 'watch',
      sentinelPassword: 's&t',
      failoverDetector: true,
    });
  });

  it('of Sentinels needs only hosts and the name of the master', () => {
    const options = sentinelOptions('redis+sentinel://one/assay');
    expect(options).to.deep.include({ sentinels: [{ host: 'one', port: 26_379 }], name: 'assay', db: 0 });
    expect(options).to.not.have.any.keys('username', 'password', 'sentinelPassword', 'tls', 'sentinelTLS');
  });

  it('of Sentinels takes a plus sign in a password or user as it is', () => {
    const query = 'sentinelUsername=u+1&sentinelPassword=p+1%2B%202';
    expect(sentinelOptions(`redis+sentinel://a+b:c+d@one/assay?${query}`)).to.include({
      username: 'a+b',
      password: 'c+d',
      sentinelUsername: 'u+1',
      sentinelPassword: 'p+1+ 2',
    });
  });

  it('with rediss+sentinel encrypts the connections to the Sentinels and to the master', () => {
    const options = sentinelOptions('rediss+sentinel://:secret@one/assay');
    expect(options).to.deep.include({ tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true });
  });

  it('of Sentinels leaves the options of the client in force', () => {
    const options = redisConnection('redis+sentinel://one/assay', { maxRetriesPerRequest: null });
    expect(options).to.include({ maxRetriesPerRequest: null, name: 'assay' });
  });

  it('of a cluster gives the user, the password and TLS of its first node to all nodes', () => {
    const cluster = redisConnection('rediss://app:secret@one,rediss://two', { lazyConnect: true });
    if (!(cluster instanceof Cluster)) throw new Error('one server was opened');
    cluster.disconnect();
    expect(cluster.options.redisOptions).to.deep.include({ username: 'app', password: 'secret', tls: {} });
  });

  it('names each server that an operator may ask', () => {
    const options = { lazyConnect: true };
    expect(
      openServers('redis://one,redis://two:6380', options).map((each) => each.options.port),
    ).to.deep.equal([6_379, 6_380]);
    expect(openServers(ALL, options)).to.have.lengthOf(1);
  });

  const rejected = [
    'redis+sentinel://one',
    'redis+sentinel://one/',
    'redis+sentinel:///assay',
    'redis+sentinel://one/assay/two',
    'redis+sentinel://secret@one/assay',
  ];
  for (const url of rejected) {
    it(`is rejected at the start if it is ${url}`, () => {
      expect(() => readConfig({ REDIS_URL: url })).to.throw(/REDIS_URL must match/);
      expect(() => sentinelOptions(url)).to.throw('the URL of the Sentinels is not valid');
    });
  }

  it('gives a client that ends its watch for failovers before it asks the Sentinels again', async () => {
    const { Connector, ...options } = sentinelOptions('redis+sentinel://127.0.0.1:1/assay');
    const connector = new Connector!({ ...options, sentinelRetryStrategy: () => null }) as SentinelConnector;
    const order: string[] = [];
    const disconnect = connector.disconnect.bind(connector);
    connector.disconnect = () => {
      order.push('disconnects');
      disconnect();
    };
    await connector.connect((type) => order.push(type)).catch(() => order.push('fails'));
    expect(order).to.deep.equal(['disconnects', 'sentinelError', 'fails']);
  });

  it('is accepted at the start in each of its forms', () => {
    for (const url of ['redis://one', 'rediss://:p@one:1/2', 'redis://one,redis://two', ALL]) {
      expect(readConfig({ REDIS_URL: url }).REDIS_URL).to.equal(url);
    }
  });
});
