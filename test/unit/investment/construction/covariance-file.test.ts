import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import covarianceFile from '#lib/investment/construction/covariance-file.compute.ts';

const matrix = {
  symbols: ['A', 'B,C'],
  covariance: [
    [0.1 + 0.2, 1e-21],
    [1e-21, 0.04],
  ],
};

describe('covarianceFile', () => {
  it('writes CSV whose numbers read back to the same doubles', () => {
    const text = new TextDecoder().decode(covarianceFile({ matrix, form: 'csv' }));
    expect(text).to.equal('symbol,A,"B,C"\r\nA,0.30000000000000004,1e-21\r\n"B,C",1e-21,0.04\r\n');
  });

  it('writes Parquet with one row and one column per symbol', async () => {
    const { buffer } = covarianceFile({ matrix, form: 'parquet' });
    expect(await parquetReadObjects({ file: buffer })).to.deep.equal([
      { symbol: 'A', A: 0.30000000000000004, 'B,C': 1e-21 },
      { symbol: 'B,C', A: 1e-21, 'B,C': 0.04 },
    ]);
  });
});
