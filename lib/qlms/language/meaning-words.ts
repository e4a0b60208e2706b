import type { Reading } from './readings.ts';

/** Words of figures, units, records and times, as `meaning: phrase|phrase`. */
export const meaningWords: readonly (readonly [Reading, string])[] = [
  [
    { slot: 'agg', agg: 'mean' },
    'average|averaged|mean|on average|avg|arithmetic mean|the average of|mean value|average value|averages|mean of|averaging|typical average|means|arithmetic average',
  ],
  [{ slot: 'agg', agg: 'median' }, 'median|the median of|median value|middle value'],
  [
    { slot: 'agg', agg: 'sum' },
    'plus|added to|total|sum|sum of|in total|altogether|in all|combined|cumulative|cumulated|the sum of|add|add up|overall|total of|add together|sum up|taken together|aggregate|together|adding up|in sum|sum over|sum for|sum across|across all of|summed|summed up|all told|total for|total across|combined total of|combined total|grand total|grand total of|added up|totalled|totaled|overall total|in aggregate|when added up',
  ],
  [
    { slot: 'superlative', order: 'desc' },
    'highest|largest|biggest|greatest|maximum|max|peak|peaked|top|most|high|strongest|record high|most expensive|priciest|best|best performing|top performing|highest value of|leading|maximal|all time high|all time peak|high point|highest point|highest ever|record|topmost|dearest|highest level|highest value|peak value|maximum value|max value|highest reading|largest value|top value|at its highest|at its peak|at their highest|hugest',
  ],
  [
    { slot: 'superlative', order: 'asc' },
    'lowest|smallest|minimum|min|trough|bottom|least|low|weakest|record low|cheapest|worst|worst performing|fewest|bottomed|minimal|all time low|low point|lowest point|lowest ever|lowest level|lowest value|minimum value|min value|lowest reading|smallest value|at its lowest|at their lowest|least expensive|slowest',
  ],
  [
    { slot: 'cue', cue: 'best_return' },
    'returned the most|returned most|returned the least|returned least|returned best|biggest winners|biggest winner|top winners|losers|gainers|winners|loser|gainer|winner|best performing|top performing|worst performing|best performers|worst performers|best performer|worst performer|performed best|performed worst|did best|did worst|biggest gainers|biggest losers|biggest gainer|biggest loser|top gainers|top performers',
  ],
  [
    { slot: 'direction', direction: 'up' },
    'rise|rises|rose|risen|rising|increase|increases|increased|increasing|grow|grows|grew|grown|growing|climb|climbed|climbs|went up|go up|gone up|goes up|going up|jump|jumped|jumps|spike|spiked|spikes|surge|surged|surges|expand|expanded|gain|gained|gains|advance|advanced|rally|rallied|up|soar|soared|come up|added|add|increase in|rise in|rise of|increase of|gain in|rose by|expansion|expansion in|growth in|pick up|picked up|gone higher|go higher|went higher|move up|moved up|moves up|moving up|edge up|edged up|go north|increase by|increased by|grow by|grew by|rises by|climbing|climb in|jump in|spike in|surge in|rally in|the rise in|the increase in|hires|balloon|ballooned|swell|swelled|strengthen|strengthened|improve|improved|rebound|rebounded|recover|recovered|additions|come on board|joined|join',
  ],
  [
    { slot: 'direction', direction: 'down' },
    'fall|falls|fell|fallen|falling|drop|drops|dropped|dropping|decline|declines|declined|declining|decrease|decreases|decreased|shrink|shrinks|shrank|shrunk|shrinking|went down|go down|goes down|gone down|going down|come down|came down|contract|contracted|contracts|plunge|plunged|slip|slipped|dip|dipped|slump|slumped|tumble|tumbled|lose|lost|loses|down|fall in|drop in|decline in|decrease in|drop of|fall of|crash|crashed|sink|sank|drops by|drop back|fell by|fall by|decline of|decrease of|declining by|reduction in|reduction of|reduce|reduced|gone lower|go lower|went lower|move down|moved down|moves down|moving down|edge down|edged down|cut|ease|eased|ebb|ebbed|weaken|weakened|recede|receded|retreat|retreated|collapse|collapsed|drop off|dropped off|fall back|fell back|losses|loss in|slide|slid|the fall in|the drop in|the decline in|depart|departed|departures',
  ],
  [
    { slot: 'direction', direction: 'any' },
    'change|changes|changed|changing|change in|move|moves|moved|shift|shifted|change of|the change in|swing|swung|vary|varied|difference in|movement in|move in|moves in|shift in|swing in|moving|differ|differed|fluctuate|fluctuated|changes in|evolve by|delta|delta in|net change|net change in',
  ],
  [
    { slot: 'unit', unit: 'percent' },
    'percent|per cent|%|percentage|pct|in percent|in percentage terms|in per cent|percentage wise|percentagewise|as a percentage|percentage terms|percentwise|in percent terms|expressed in percent|as a percent|by percent|in %',
  ],
  [
    { slot: 'unit', unit: 'points' },
    'percentage points|percentage point|percent points|points|pp|pps|point|pct points|pct pts|pts|percentage pts|in percentage points|in points|percent pts',
  ],
  [
    { slot: 'unit', unit: 'basis_points' },
    'basis points|basis point|bps|bp|in basis points|in bps|in bp|basis pts|hundredths of a percent',
  ],
  [
    { slot: 'unit', unit: 'annualised_percent' },
    'annualised|annualized|compound annual|cagr|compound annual growth rate|annualised rate of|annual average|on an annualised basis|average annual|compound annual rate of|per annum|compounded annual|annualised rate|annual rate of|cagr of|per year|annualised growth rate|annualized growth rate|annual growth rate|compound growth rate|annualised percentage|annually|on average per year|average yearly|average annual rate of|compound rate of|average annual growth rate|at what annual rate|what annual rate|annual rate|yearly rate|at what yearly rate|at an annual rate of|in annual terms|on an annual basis|per annum on average|average yearly rate',
  ],
  [
    { slot: 'unit', unit: 'ratio' },
    'as a share of|as a fraction of|as a proportion of|as a percentage of|as a ratio to|ratio of|divided by|as a multiple of|share of|proportion of|fraction of|as a ratio of|as percentage of|as a part of|relative to|over|as share of|in relation to|make up of|times|as a percent of|ratio|what share of|what fraction of|what proportion of',
  ],
  [
    { slot: 'comparator', op: 'gt' },
    'above|over|exceed|exceeds|exceeded|more than|greater than|higher than|larger than|beyond|surpass|surpassed|in excess of|pass|passed|topped|>|cross|crossed|go above|went above|rise above|rose above|climb above|climbed above|end above|ended above|close above|closed above|bigger than|go over|went over|go past|upwards of|stand above|be above|get above|got above|break|break through|moved above|north of|stand over|in excess|exceeding|be over|closed over|close over|was over|end over|ended over|over the level of|better than|climb past|climbed past|rise past|rose past|move past|moved past|get past|got past|breach|breached|clear|cleared|rise over|rose over|climb over|climbed over|stood over|stood above|were above|was above|trade above|traded above|settled above|settle above|finished above|finish above|finishing above|closing above|ending above|surpassing|pierce|pierced|higher than the level of',
  ],
  [
    { slot: 'comparator', op: 'gte' },
    'at least|no less than|not less than|not below|>=|reach|reached|hit|or more than|equal to or above|at or above|a minimum of|not under|get to|got to|touch|touched|attain|attained',
  ],
  [
    { slot: 'comparator', op: 'lt' },
    'below|under|less than|lower than|fewer than|smaller than|beneath|<|go below|went below|fall below|fell below|drop below|dropped below|end below|ended below|close below|closed below|fall under|fell under|dip below|dipped below|stand below|be below|get below|got below|sink below|sank below|moved below|south of|lesser than|be under|closed under|close under|end under|ended under|drop under|dropped under|go under|went under|stood below|stood under|were below|was below|was under|trade below|traded below|settled below|settle below|finished below|finish below|finishing below|closing below|ending below|slip below|slipped below|slide below|slid below|come in below|came in below|falling below|dropping below',
  ],
  [
    { slot: 'comparator', op: 'lte' },
    'at most|no more than|not more than|not above|<=|at or below|up to|a maximum of|no higher than|not over|not exceed|not exceeding|no larger than',
  ],
  [
    { slot: 'noun', noun: 'obligation' },
    'obligation|obligations|liability|liabilities|invoice|invoices|loan|loans|commitments|debts|payables|bills|bill|debt items|obligations of ours|owed items',
  ],
  [
    { slot: 'noun', noun: 'delegation' },
    'delegation|delegations|delegated authority|delegated authorities|delegated mandates',
  ],
  [
    { slot: 'noun', noun: 'exception' },
    'exception|exceptions|reconciliation exceptions|breaks|break|open items|discrepancies|discrepancy|reconciliation breaks|reconciliation exception',
  ],
  [
    { slot: 'noun', noun: 'workflow_run' },
    'workflow run|workflow runs|workflow|workflows|runs of workflows|workflow executions|run of the workflow',
  ],
  [
    { slot: 'noun', noun: 'transaction' },
    'transaction|transactions|bookings|ledger entries|ledger transactions|bank transactions|payments',
  ],
  [
    { slot: 'noun', noun: 'instrument' },
    'instrument|instruments|stock|stocks|company|companies|equity|equities|security|securities|ticker|tickers|firm|firms|names|shares|businesses|constituents|listed companies|listed stocks|listings|stock names|equities we cover|listed names|companies listed',
  ],
  [{ slot: 'noun', noun: 'company' }, 'company|companies|business|businesses|entities'],
  [{ slot: 'noun', noun: 'theme' }, 'theme|themes|investment themes|investment theme|thematic'],
  [
    { slot: 'noun', noun: 'symbol' },
    'symbol|symbols|ticker|tickers|instrument|instruments|stock|stocks|names|company|companies',
  ],
  [{ slot: 'noun', noun: 'sector' }, 'sector|sectors|gics sector|industry sector'],
  [{ slot: 'noun', noun: 'counterparty' }, 'counterparty|counterparties'],
  [
    { slot: 'noun', noun: 'metric' },
    'metric|metrics|measures|figures|kpis|kpi|indicators|company metrics|data points|kpi s|performance indicators|metrics and kpis|measures and metrics|key figures',
  ],
  [{ slot: 'noun', noun: 'series' }, 'economic series|series|economic indicators|economic data series'],
  [{ slot: 'noun', noun: 'taxonomy' }, 'taxonomy|taxonomy version|version of the taxonomy|the taxonomy'],
  [
    { slot: 'noun', noun: 'factor' },
    'factor|factors|theme factor|theme factors|factor returns|factor return|the factor',
  ],
  [
    { slot: 'noun', noun: 'factor_run' },
    'factor run|theme factor run|factor runs|theme factor runs|run|the run|factor model run|runs|run of theme factors',
  ],
  [
    { slot: 'noun', noun: 'scenario' },
    'scenario|scenarios|scenario run|scenario runs|simulation|stress scenario|run|stress test|the scenario run|simulations|the simulation|scenario simulation|stress scenarios|scenario set|the scenario',
  ],
  [
    { slot: 'noun', noun: 'regime' },
    'regime|regimes|market regime|state of the market|regime probabilities|market regimes|market state|the regime',
  ],
  [
    { slot: 'noun', noun: 'month' },
    'month|months|in which month|which month|what month|in what month|monthly|month end|month ends|which months|in which months|monthly readings|at month end|at the month end|on a monthly basis|calendar month|calendar months|end of month',
  ],
  [
    { slot: 'noun', noun: 'quarter' },
    'quarter|quarters|which quarter|in which quarter|what quarter|in which quarters',
  ],
  [{ slot: 'noun', noun: 'year' }, 'which year|in which year|what year|in what year'],
  [{ slot: 'noun', noun: 'price_data' }, 'price data|prices|market data|our prices|our price data'],
  [{ slot: 'noun', noun: 'data' }, 'data|numbers|dataset'],
  [{ slot: 'noun', noun: 'portfolio' }, 'portfolio|portfolios|fund'],
  [
    { slot: 'noun', noun: 'market' },
    'market|stock market|the stock market|markets|share prices|equity market|the markets',
  ],
  [
    { slot: 'state', states: [{ noun: 'obligation', field: 'state', value: 'registered' }] },
    'registered|on the register|in the registered state|in state registered|in the register',
  ],
  [
    { slot: 'state', states: [{ noun: 'obligation', field: 'state', value: 'disputed' }] },
    'disputed|in dispute|contested|under dispute|challenged|are disputed|being disputed|under challenge|in a dispute|contentious|subject to dispute|a dispute',
  ],
  [
    { slot: 'state', states: [{ noun: 'obligation', field: 'state', value: 'settled' }] },
    'settled|paid off|discharged',
  ],
  [
    { slot: 'state', states: [{ noun: 'exception', field: 'state', value: 'open' }] },
    'open|unresolved|still open|unsettled|not yet resolved|outstanding|not resolved|not closed|not been resolved|not yet closed|still unresolved|remaining open|not been closed|to be resolved|outstanding still',
  ],
  [
    { slot: 'state', states: [{ noun: 'exception', field: 'state', value: 'resolved' }] },
    'resolved|closed|been resolved|been closed|cleared up|been cleared|sorted out|settled|dealt with|fixed',
  ],
  [
    { slot: 'state', states: [{ noun: 'delegation', field: 'state', value: 'activated' }] },
    'active|activated|in force|live|in effect|in operation|effective|currently active|currently in force|running|operative|switched on',
  ],
  [
    { slot: 'state', states: [{ noun: 'delegation', field: 'state', value: 'draft' }] },
    'draft|drafts|waiting for approval|awaiting approval|pending approval|to be approved|waiting to be approved|pending|in draft|not yet approved|unapproved|still waiting for approval|still awaiting approval|need approval|waiting|awaiting|require approval|needs approval|need approving|still to be approved|still need approval|not approved|not approved yet|yet to be approved|unconfirmed|still in draft|in draft state|draft state|drafted|awaiting a decision|have yet to be approved|not been approved|not been approved yet|still drafts|awaits approval|await approval',
  ],
  [
    { slot: 'state', states: [{ noun: 'delegation', field: 'state', value: 'revoked' }] },
    'revoked|withdrawn|been revoked|taken back|rescinded|been withdrawn',
  ],
  [
    { slot: 'state', states: [{ noun: 'workflow_run', field: 'state', value: 'failed' }] },
    'failed|fail|failing|unsuccessful|ended in failure|went wrong|have failed|ended with an error|ended in error|not succeed|not successful|unsuccessfully|crashed|errored|ended badly|ended unsuccessfully|did not succeed|end in failure|ended up failing|did not complete|broke',
  ],
  [
    { slot: 'state', states: [{ noun: 'workflow_run', field: 'state', value: 'succeeded' }] },
    'succeeded|succeed|successful|successfully|completed|went through|finished successfully|ended successfully|completed successfully|ran successfully|were successful|finished without error|ended well|complete|completed without error|run successfully|finish successfully|ended in success|went well',
  ],
  [
    { slot: 'state', states: [{ noun: 'transaction', field: 'status', value: 'pending' }] },
    'pending|not yet posted|unposted|not posted|not been posted|not been posted yet|not posted yet|yet to be posted|unsettled|in flight|not booked|not booked yet|not yet booked|awaiting posting|still pending',
  ],
  [{ slot: 'state', states: [{ noun: 'transaction', field: 'status', value: 'posted' }] }, 'posted|booked'],
  [
    { slot: 'state', states: [{ noun: 'exception', field: 'severity', value: 'high' }] },
    'high|high severity|severe|of high severity|severity high|highly severe|with high severity|serious|of a high severity',
  ],
  [
    { slot: 'state', states: [{ noun: 'exception', field: 'severity', value: 'medium' }] },
    'medium|medium severity|of medium severity|moderate|with medium severity|middling|severity medium',
  ],
  [
    { slot: 'state', states: [{ noun: 'exception', field: 'severity', value: 'low' }] },
    'low|low severity|of low severity|minor',
  ],
  [
    { slot: 'state', states: [{ noun: 'obligation', field: 'type', value: 'trade_payable' }] },
    'trade payable|trade payables|invoice|invoices',
  ],
  [
    { slot: 'state', states: [{ noun: 'obligation', field: 'type', value: 'term_loan' }] },
    'term loan|term loans|loan|loans',
  ],
  [{ slot: 'state', states: [{ noun: 'obligation', field: 'type', value: 'bond' }] }, 'bond|bonds'],
  [
    { slot: 'state', states: [{ noun: 'obligation', field: 'type', value: 'letter_of_credit' }] },
    'letter of credit|letters of credit',
  ],
  [
    { slot: 'statistic', domain: 'factor', statistic: 'annualized_mean' },
    'annualised return|annualized return|annualised mean|annualized mean|annual return|annualised returns|annualised mean return|annualized mean return|yearly return|return per year|annualised performance|annualized performance|mean annual return|return a year|annual mean return|annualised average return|annualized average return|return per annum|average annual return|yearly mean return|annualised factor return|annualised gain|annualized returns',
  ],
  [
    { slot: 'statistic', domain: 'factor', statistic: 'annualized_volatility' },
    'annualised volatility|annualized volatility|volatility|annual volatility|vol|standard deviation|volatile|how volatile|annualised vol|annualized vol|annualised standard deviation|annualized standard deviation|volatility per year|yearly volatility|volatilities|annual vol|annualised volatilities',
  ],
  [
    { slot: 'statistic', domain: 'factor', statistic: 'newey_west_t' },
    'newey west t|newey west t statistic|newey west t stat|newey west statistic|newey west|newey west t value|t statistic|t stat|t value|nw t|nw t stat|newey west tstat|t stats|t statistics|newey west t statistics|newey west t values|hac t|t ratio|newey west t ratio|tstat|newey west t score',
  ],
  [
    { slot: 'statistic', domain: 'factor', statistic: 'max_drawdown' },
    'maximum drawdown|max drawdown|largest drawdown|worst drawdown|deepest drawdown|drawdown|biggest drawdown|greatest drawdown|worst peak to trough loss|peak to trough loss|largest peak to trough loss|maximal drawdown|maximum peak to trough loss|drawdowns|maximum drawdowns|worst drop from the peak|mdd',
  ],
  [{ slot: 'statistic', domain: 'factor', statistic: 'sharpe' }, 'sharpe|sharpe ratio'],
  [
    { slot: 'statistic', domain: 'scenario', statistic: 'value_at_risk' },
    'value at risk|var|v a r|var figure|value at risk figure|vars|risk value',
  ],
  [
    { slot: 'statistic', domain: 'scenario', statistic: 'expected_shortfall' },
    'expected shortfall|cvar|conditional value at risk|es|tail loss|expected tail loss|tail value at risk|tvar|average value at risk|conditional var|shortfall|c var|tail var',
  ],
  [
    { slot: 'statistic', domain: 'scenario', statistic: 'mean' },
    'mean of|average of|mean return|average return|expected return|mean|mean returns|average simulated return|average|mean outcome|mean simulated return|simulated mean return|simulated mean|mean of the returns|expected value|mean change|average outcome|average change|average move|mean move',
  ],
  [{ slot: 'statistic', domain: 'scenario', statistic: 'median' }, 'median of|median return|median'],
  [
    { slot: 'regime', regime: 'stressed' },
    'stressed|stress|stressed regime|stress regime|stressed state|in stress|under stress|stressed market|the stressed regime|the stress regime|stressed market regime',
  ],
  [
    { slot: 'regime', regime: 'calm' },
    'calm|calm regime|quiet|calm state|calm market|the calm regime|calm market regime|quiet regime',
  ],
  [
    { slot: 'when', when: { kind: 'latest' } },
    'latest|most recent|newest|last known|last available|last reported|last published|last recorded|last observed|latest available|latest known|last value|last reading|most recently|most recent known|most recently reported|most recently published|latest published|last|freshest|most up to date|most current|last one|latest one|latest print|last print|most recent print|latest on record|latest we have|last we have',
  ],
  [
    { slot: 'when', when: { kind: 'now' } },
    'now|right now|currently|current|at present|at the moment|today|today s|presently|as of now|as of today|as things stand|at this moment|present|these days|present day|just now|this very moment|as we speak|as of this moment|at this point in time|this instant|this second|this minute|nowadays|as of this morning|this morning|live|real time|in real time|as at today|as at now|for now|right this second|on this very day|at this point|at the present time|at the present moment|this very minute|at this very moment',
  ],
  [
    { slot: 'when', when: { kind: 'whole' } },
    'on record|ever|of all time|all time|in history|in the whole history|on file|in our data|in our history|over the whole history|since records began|ever recorded|in the data|that we have|in the records|over all periods|over the entire history|in recorded history|we have on record|across the whole history|over its whole history|historically|ever seen|in the record|in our record|of all the data|over all time|since the start|since the beginning|from the beginning|from the start|in the entire history|in our entire history|in all our data|in the dataset|over the full history|across the full history|in the full history|in the available history|over the available history|since records begin|since our records begin|for as long as we have data|we have data for|over all the data|of all our data|in the time series|across all months|across all periods|over all months|has ever been|have ever been|has ever reached|has ever hit|ever reached|ever hit|ever been|ever seen in our data|over the entire record|since data begin|in total history|in its history|in its whole history|across our data|at any point|of the whole series|in the series|over the whole series|throughout our data|across history|throughout history|full history|whole history|entire history',
  ],
  [
    { slot: 'step', grain: 'month', by: -1 },
    'month before|previous month|month earlier|a month earlier|a month before|one month earlier|one month before|preceding month|month before that|prior month|month prior',
  ],
  [
    { slot: 'step', grain: 'month', by: 1 },
    'month after|following month|month later|a month later|next month|one month later|month after that|a month after',
  ],
  [
    { slot: 'step', grain: 'quarter', by: -1 },
    'quarter before|previous quarter|quarter earlier|a quarter earlier|a quarter before|one quarter earlier|one quarter before|preceding quarter|quarter before that|prior quarter|quarter prior',
  ],
  [
    { slot: 'step', grain: 'quarter', by: 1 },
    'quarter after|following quarter|quarter later|a quarter later|next quarter|one quarter later|quarter after that|a quarter after',
  ],
  [
    { slot: 'step', grain: 'year', by: -1 },
    'year before|previous year|year earlier|a year earlier|a year before|one year earlier|one year before|preceding year|year before that|prior year|year prior',
  ],
  [
    { slot: 'step', grain: 'year', by: 1 },
    'year after|following year|year later|a year later|next year|one year later|year after that|a year after',
  ],
];
