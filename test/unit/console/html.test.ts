import { expect } from 'chai';
import fc from 'fast-check';
import { data, html, raw } from '#api/console/html.ts';

describe('templates of the console', () => {
  it('escape every value, so that no text ends an element or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { markup } = html`<p title="${text}">${text}</p>`;
        const inside = markup.slice('<p title="'.length, -'</p>'.length);
        expect(inside).to.not.match(/[<']|">.*">/);
        expect(inside.split('">')).to.have.lengthOf(2);
      }),
    );
  });

  it('print templates inside templates unchanged, and nothing for missing values', () => {
    const part = html`<b>${'a & b'}</b>`;
    expect(html`<i>${part}${[part, 'c', 1]}${null}${undefined}${false}${raw('<hr>')}</i>`.markup).to.equal(
      '<i><b>a &amp; b</b><b>a &amp; b</b>c1<hr></i>',
    );
  });

  it('write data blocks that no value can end', () => {
    const { markup } = data({ text: '</script><script>alert(1)</script>' });
    expect(markup.match(/<\/?script/g)).to.have.lengthOf(2);
    expect(JSON.parse(markup.slice(markup.indexOf('>') + 1, markup.lastIndexOf('<')))).to.deep.equal({
      text: '</script><script>alert(1)</script>',
    });
  });
});
