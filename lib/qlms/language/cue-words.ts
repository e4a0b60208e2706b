import type { Reading } from './readings.ts';

/** Words that introduce a question or name its kind, as `meaning: phrase|phrase`. */
export const cueWords: readonly (readonly [Reading, string])[] = [
  [
    { slot: 'function' },
    'the|a|an|of|in|on|at|for|to|is|are|was|were|be|been|being|am|do|does|did|has|have|had|please|kindly|thanks|thank you|thank you very much|could you|can you|would you|will you please|can i|could i|may i|tell me|show me|give me|let me know|tell us|show us|give us|let us|i would like|i want|i need|we need|i d like|id like|to know|know|see|get|look up|find|find out|find me|please tell|we|us|our|ours|i|me|my|you|its|their|there|that|these|those|what|whats|which|who|how|as|and|or|with|during|over|per|from|by|then|been|into|within|across|across all|through|throughout|according to|value|values|level|levels|reading|readings|figure|stand|stands|stood|standing|come in|came in|come out|came out|come|came|end up|ended up|end|ended|finish|finished|equal|equals|amount to|amounted to|amount|show|display|tell|give|report|reported|print|quote|quoted|trade at|traded at|trading at|trade|traded|hello|hi|hey|dear|good morning|good afternoon|for me|for us|can|could|would|quick question|curious|wondering|i wonder|i am wondering|do you know|any idea|about|so|just|also|much|have we|do we|do we have|we have|do you have|of all|make|made|reach|reached|record|recorded|hit|hits|exactly|precisely|actual|actually|in the month of|in the year|the month of|the year|calendar year|each|were there|are there|is there|was there|available|held|data point|number|stay|sit|sat|total number|observed|seen|be told|seen in|happen to be|say|now then|well|ok|okay|cheers|many thanks|much appreciated|question|answer|respectively|measured|published|official|doing|generate|generated|produced|produce|post|posted at|book|booked|earn|earned|employ|employed|worth|stated|registered at|pull up|fetch|retrieve|provide|state',
  ],
  [
    { slot: 'cue', cue: 'show_list' },
    'list|list all|list the|name|name all|enumerate|which|what|show|show me|give me|all|every',
  ],
  [{ slot: 'cue', cue: 'which' }, 'which|what'],
  [
    { slot: 'cue', cue: 'when' },
    'when|in which month|in what month|what month|which month|in which quarter|which quarter|on which date|since when',
  ],
  [
    { slot: 'cue', cue: 'how_many' },
    'how many|the number of|number of|count of|count|count the|what number of|total number of',
  ],
  [{ slot: 'cue', cue: 'how_much' }, 'how much|by how much|how far|what amount'],
  [{ slot: 'cue', cue: 'how' }, 'how|how exactly|how high|how large|how big|how low|how great|how strong'],
  [{ slot: 'cue', cue: 'any' }, 'any|is there any|are there any'],
  [{ slot: 'cue', cue: 'all' }, 'all|every|all of|all our|all the|whole|entire'],
  [{ slot: 'cue', cue: 'pronoun' }, 'it|its|their|that one|this one|they|them|the same|same'],
  [{ slot: 'cue', cue: 'one' }, 'one|ones|the other one|instead'],
  [
    { slot: 'cue', cue: 'follow' },
    'what about|how about|and what about|and how about|and for|and in|and|same for|now for|and now for|then what about|ok and',
  ],
  [{ slot: 'cue', cue: 'than' }, 'than'],
  [{ slot: 'cue', cue: 'or' }, 'or'],
  [{ slot: 'cue', cue: 'and' }, 'and'],
  [
    { slot: 'cue', cue: 'compare' },
    'compare|comparing|compared to|compared with|comparison of|versus|vs|against|set against|as against|with that of|comparison|relative to that of',
  ],
  [
    { slot: 'cue', cue: 'gap' },
    'gap|gap between|difference|difference between|the difference between|spread|spread between|differ|differs|apart',
  ],
  [{ slot: 'cue', cue: 'exceed' }, 'exceed|exceeded|exceeds|surpass|surpassed|outstrip|outstripped|ahead of'],
  [
    { slot: 'cue', cue: 'higher' },
    'higher|larger|bigger|greater|more|higher than|larger than|bigger than|greater than|more than|above|the higher|the larger|the bigger',
  ],
  [
    { slot: 'cue', cue: 'lower' },
    'lower|smaller|less|fewer|lower than|smaller than|less than|fewer than|below|the lower|the smaller',
  ],
  [
    { slot: 'cue', cue: 'trend' },
    'trend|trends|the trend of|develop|developed|developing|development|evolve|evolved|evolution|over time|history of|trajectory|path of|course of|progress|progressed|describe how|how has|how have|moved|moving|movement',
  ],
  [{ slot: 'cue', cue: 'rank' }, 'rank|ranked|ranking|ranking of|order|sort|sorted|by'],
  [{ slot: 'cue', cue: 'growth' }, 'growth|growth rate|rate of growth'],
  [{ slot: 'cue', cue: 'first' }, 'first|for the first time|earliest|initially'],
  [{ slot: 'cue', cue: 'last_time' }, 'last|for the last time|most recently|last time'],
  [
    { slot: 'cue', cue: 'yoy' },
    'year over year|year on year|yoy|y o y|against a year earlier|from a year earlier|than a year earlier|compared with a year earlier|compared to a year earlier|versus a year earlier|from the year before|on the year|over the year|over the year before|against the year before|from a year before|on a year earlier|than a year before|12 month|twelve month',
  ],
  [
    { slot: 'cue', cue: 'qoq' },
    'quarter over quarter|quarter on quarter|qoq|q o q|on the quarter|against the previous quarter|from the previous quarter|from the quarter before|compared with the previous quarter|compared to the previous quarter|over the previous quarter|against the quarter before',
  ],
  [
    { slot: 'cue', cue: 'mom' },
    'month over month|month on month|mom|m o m|on the month|against the previous month|from the previous month|from the month before|compared with the previous month|compared to the previous month|over the previous month|against the month before',
  ],
  [{ slot: 'cue', cue: 'from_to' }, 'from|between|since'],
  [{ slot: 'cue', cue: 'account' }, 'account|accounts'],
  [
    { slot: 'cue', cue: 'entity_word' },
    'company|firm|business|stock|share|series|index|indicator|portfolio|theme|factor|fund|the company|symbol|ticker|counterparty|supplier|lender|bank|workflow|metric',
  ],
  [
    { slot: 'cue', cue: 'owe' },
    'owe|owed|owing|still owe|do we owe|we owe|we still owe|still to pay|to be paid|unpaid|outstanding amount|amount outstanding|payable',
  ],
  [{ slot: 'cue', cue: 'still' }, 'still|currently still|as yet|yet'],
  [
    { slot: 'cue', cue: 'due' },
    'due|fall due|falling due|falls due|mature|maturing|come due|coming due|payable',
  ],
  [
    { slot: 'cue', cue: 'overdue' },
    'overdue|past due|late|past their due date|past its due date|in arrears|past due date',
  ],
  [
    { slot: 'cue', cue: 'taken_in' },
    'take in|took in|taken in|receive|received|receipts|came in|money in|cash in|collect|collected',
  ],
  [{ slot: 'cue', cue: 'paid_out' }, 'pay out|paid out|spend|spent|money out|cash out|go out|went out'],
  [
    { slot: 'cue', cue: 'by_currency' },
    'by currency|per currency|in each currency|for each currency|split by currency|broken down by currency|currency by currency|grouped by currency',
  ],
  [
    { slot: 'cue', cue: 'by_sector' },
    'by sector|per sector|in each sector|for each sector|each sector|split by sector|broken down by sector|grouped by sector|every sector|in every sector',
  ],
  [
    { slot: 'cue', cue: 'by_state' },
    'by state|per state|in each state|by status|per status|for each state|each state',
  ],
  [{ slot: 'cue', cue: 'in_sector' }, 'sector|in the sector|industry|from the sector|sector s'],
  [{ slot: 'cue', cue: 'sub_industry' }, 'sub industry|subindustry|sub sector|sub industries'],
  [
    { slot: 'cue', cue: 'exposure' },
    'exposed|exposure|exposures|exposed to|exposure to|exposure of|how exposed',
  ],
  [
    { slot: 'cue', cue: 'belong' },
    'belong|belongs|belong to|belongs to|part of|member of|assigned to|classified|classified in|sorted into|fall under|falls under|operate|operates|classed|operate in|mapped to|linked to|tagged with|listed under|assigned|grouped',
  ],
  [
    { slot: 'cue', cue: 'hold' },
    'hold data for|hold data on|have data for|have data on|hold|hold prices for|cover|covered|data for|data|data on|on file|on our books|in our books|in the database|on record|in total',
  ],
  [
    { slot: 'cue', cue: 'source' },
    'source|source of|sources|come from|comes from|came from|originate|originates|taken from|originate from|sourced from|where from|provenance|data source|which dataset|what dataset|dataset|from which dataset|which data set|data set|data|derive from|derived from|drawn from|obtained from|stem from',
  ],
  [{ slot: 'cue', cue: 'where' }, 'where|from where'],
  [
    { slot: 'cue', cue: 'method' },
    'computed|calculated|worked out|calculation|method|estimated|method for|method of|derived|method behind|determined|methodology|calculate|compute|computation|derive|measured',
  ],
  [
    { slot: 'cue', cue: 'freshness' },
    'how fresh|how recent|how current|how up to date|how old|fresh|freshness|freshness of|up to date|last updated|updated|recency|newest data|how new|how stale',
  ],
  [
    { slot: 'cue', cue: 'coverage' },
    'which periods|what periods|periods|for which periods|for what periods|which months|what months|which quarters|how far back|coverage|date range|time range|time span|period covered|periods covered|go back|does go back|reach back',
  ],
  [
    { slot: 'cue', cue: 'revisions' },
    'restated|restatement|restatements|revised|revision|revisions|been restated|been revised|corrected|been corrected|changed since it was first reported|ever restated|ever revised',
  ],
  [{ slot: 'cue', cue: 'ever' }, 'ever|at any time|subsequently|since|later|afterwards'],
  [{ slot: 'cue', cue: 'seal' }, 'seal|seal hash|hash of the seal|sealed hash|hash|the seal'],
  [
    { slot: 'cue', cue: 'unit' },
    'unit|units|what unit|which unit|in what unit|in which unit|unit of measurement|measurement unit|expressed|measured|quoted|stated|denominated',
  ],
  [
    { slot: 'cue', cue: 'mean' },
    'mean|means|meant|meant by|stand for|stands for|meaning|meaning of|definition|definition of|the definition of|define|defined|explain|explanation of|understand by|understood by',
  ],
  [
    { slot: 'cue', cue: 'capability' },
    'what can you answer|what can you do|what can i ask|what can i ask you|what questions can you answer|what do you know|what can you tell me|which questions can you answer|what kind of questions can you answer|what are you able to answer|what sort of questions can you answer|what topics do you cover|what are you able to tell me|what can you tell us|what could i ask|help|what kinds of questions can you answer|what subjects do you cover|what can we ask you|what can we ask',
  ],
  [
    { slot: 'cue', cue: 'why' },
    'why|how come|for what reason|what is the reason|what was the reason|reason|reason for|the reason for|the reason|what made|what explains|what drove|what caused|what is behind|what lies behind|what was behind|explain why|the reason why|cause of|causes of|the cause of|driver of|drivers of|drove|driven|due to|because of|what led to|behind',
  ],
  [
    { slot: 'cue', cue: 'cause' },
    'cause|causes|caused|lead to|leads to|result in|make for|affect|affects|influence|influences|drive|drives|because',
  ],
  [
    { slot: 'cue', cue: 'premise' },
    'given that|since|confirm that|confirm|is it true that|isn t it true that|it is true that|correct that|considering that|seeing that|knowing that|is it correct that|am i right that|am i right in thinking that|right that|now that|as|please confirm that|can you confirm that|assuming that|am i right that|verify that|is it right that|given how|in view of the fact that|after',
  ],
  [
    { slot: 'cue', cue: 'right' },
    'right|correct|isn t it|wasn t it|didn t it|isnt it|wasnt it|didnt it|true|yes|hasn t it|no',
  ],
  [
    { slot: 'cue', cue: 'error' },
    'fail|failed|failing|error|error code|error of|fault|failure|go wrong|went wrong|wrong|abort|aborted|break|broke|crash',
  ],
  [{ slot: 'cue', cue: 'will' }, 'will|going to|be going to|expected to|gonna|shall|expect'],
  [
    { slot: 'cue', cue: 'forecast' },
    'forecast|forecasts|forecasted|predicted|prediction|projected|projection|projections|expected|is forecast|point forecast|outlook|sealed forecast|is predicted|is projected|estimate for|forecast for|forecast of',
  ],
  [
    { slot: 'cue', cue: 'interval' },
    'interval|prediction interval|forecast interval|range|band|confidence interval|uncertainty interval|bounds|prediction band',
  ],
  [
    { slot: 'cue', cue: 'horizon_end' },
    'last period|final period|last period of|how far ahead|how far|horizon|end of the horizon|furthest period|reach|until when|up to when|extend|extends|how far out|how far into the future|go|last quarter of the forecast|final quarter|furthest|latest period|end of',
  ],
  [
    { slot: 'cue', cue: 'backtest' },
    'backtest|backtest of|backtesting|back test|back tested|backtested|mase|how good|how accurate|how well|accuracy|accuracy of|backtest error|perform in the backtest|perform',
  ],
  [
    { slot: 'cue', cue: 'model_knows' },
    'that the model knows|the model knows|model knows|known to the model|of the model|in the model|the model covers|the model has seen|the model saw|by the model|according to the model|the model',
  ],
  [
    { slot: 'cue', cue: 'likely' },
    'most likely|most probable|likeliest|likely|probable|probability|probability of',
  ],
  [
    { slot: 'cue', cue: 'happens' },
    'what happens to|happens to|happens|happen to|what would happen to|what does it do to|effect on|impact on|what becomes of|affected|change for|what is the effect on|what is the impact on|happen|expected move of|respond|react',
  ],
  [{ slot: 'cue', cue: 'if' }, 'if|when|suppose|supposing|in case|assuming|should|in the event that'],
  [
    { slot: 'cue', cue: 'collapse' },
    'collapse|collapses|crash|crashes|plunges|plunge|tanks|slump|slumps|crater',
  ],
  [{ slot: 'cue', cue: 'oil' }, 'oil|oil prices|oil price|the oil price|crude|energy prices'],
  [
    { slot: 'cue', cue: 'book' },
    'book|our book|equal weight book|the book|our portfolio|equal weight|equally weighted book|portfolio|equal weighted book|equal weight portfolio|equally weighted|equal weight basket|positions',
  ],
  [
    { slot: 'cue', cue: 'plausible' },
    'plausible|how plausible|plausibility|plausibility of|how likely|how probable|how extreme|how unlikely|likely|tail probability',
  ],
  [{ slot: 'cue', cue: 'shock' }, 'shock|shocks|stress|shock to|shock of|move|assumed move'],
  [{ slot: 'cue', cue: 'seed' }, 'seed|with seed|seeded with'],
  [{ slot: 'cue', cue: 'limit_field' }, 'limit|ceiling|cap|maximum|maximum amount'],
  [
    { slot: 'cue', cue: 'per_action' },
    'per action|for each action|per transaction|a single action|single action|for one action|for a single action|one action',
  ],
  [{ slot: 'cue', cue: 'per_day' }, 'per day|daily|a day|each day'],
  [{ slot: 'cue', cue: 'per_month' }, 'per month|monthly|a month|each month'],
  [
    { slot: 'cue', cue: 'valid_until' },
    'valid until|expire|expires|expiry|expiry date|run out|runs out|lapse|lapses|until when valid|valid|good until|end date|until when',
  ],
  [
    { slot: 'cue', cue: 'use' },
    'use|used|based on|rely on|relied on|built on|rest on|rests on|was used in|used in|run on|used by|was used by|underlie|behind',
  ],
  [{ slot: 'cue', cue: 'best_vague' }, 'best|worst|good|top'],
  [
    { slot: 'cue', cue: 'convert' },
    'convert|converted|converted to|converted into|translated into|expressed|equivalent|exchange rate|at the exchange rate|counted in',
  ],
  [{ slot: 'cue', cue: 'severity' }, 'severity'],
  [
    { slot: 'cue', cue: 'believe' },
    'believe|believed|think|thought|knew|what did we know|assume|assumed|did we believe|hold to be',
  ],
];
