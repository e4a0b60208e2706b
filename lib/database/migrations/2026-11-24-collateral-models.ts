import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';

/** The models of margin statements and valuation adjustments. */
export class CollateralModels extends Migration {
  override up(): void {
    this.addSql(
      builtInModel(
        'svc_collateral_margin_v1',
        '1.0.0',
        'Credit support amount and margin call in two legs under the recorded terms of a netting set.',
      ),
    );
    this.addSql(
      builtInModel(
        'svc_valuation_adjustments_v1',
        '1.0.0',
        'CVA, DVA and FVA of a supplied exposure profile, unilateral and to the first default.',
      ),
    );
  }
}
