import { expect } from 'chai';
import { followMoves } from '#lib/client/moves.ts';

type Sent = { url: string; method: string; body: string; key: string | null };

describe('The client at the old address of a workspace', () => {
  /** A service of several cells: the answers by origin. Keeps what was sent. */
  const serving = (answers: Record<string, () => Response>) => {
    const sent: Sent[] = [];
    const send = followMoves(async (request) => {
      const { origin } = new URL(request.url);
      const key = request.headers.get('authorization');
      sent.push({ url: request.url, method: request.method, body: await request.text(), key });
      return answers[origin]!();
    });
    return { send, sent };
  };
  const movedTo = (location: string) => () => new Response('{}', { status: 421, headers: { location } });
  const answered = () => new Response('here');
  const post = () =>
    new Request('https://a.example/api/v2/x?y=1', {
      method: 'POST',
      body: 'body',
      headers: { authorization: 'Bearer k' },
    });

  it('sends the same request once more, to the new address', async () => {
    const { send, sent } = serving({
      'https://a.example': movedTo('https://b.example/api/v2/x?y=1'),
      'https://b.example': answered,
    });
    expect(await (await send(post())).text()).to.equal('here');
    const same = { method: 'POST', body: 'body', key: 'Bearer k' };
    expect(sent).to.deep.equal([
      { ...same, url: 'https://a.example/api/v2/x?y=1' },
      { ...same, url: 'https://b.example/api/v2/x?y=1' },
    ]);
  });

  it('goes to the new address first from then on', async () => {
    const { send, sent } = serving({
      'https://a.example': movedTo('https://b.example/'),
      'https://b.example': answered,
    });
    await send(post());
    await send(new Request('https://a.example/api/v2/z'));
    expect(sent.map(({ url }) => url).slice(2)).to.deep.equal(['https://b.example/api/v2/z']);
  });

  it('follows once only', async () => {
    const { send, sent } = serving({
      'https://a.example': movedTo('https://b.example/'),
      'https://b.example': movedTo('https://a.example/'),
    });
    expect((await send(post())).status).to.equal(421);
    expect(sent).to.have.length(2);
  });

  for (const [title, location] of [
    ['without encryption', 'http://b.example/'],
    ['of another kind', 'file:///etc/passwd'],
    ['that is not a URL', '/api/v2/x'],
    ['that is the old one', 'https://a.example/'],
  ] as const) {
    it(`sends no credential to an address ${title}`, async () => {
      const { send, sent } = serving({ 'https://a.example': movedTo(location) });
      expect((await send(post())).status).to.equal(421);
      expect(sent).to.have.length(1);
    });
  }
});
