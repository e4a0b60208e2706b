import { askedTopics, changedSince, steppedBack } from './phrase-families.ts';
import type { Reading } from './readings.ts';

/** Words that introduce a question or name its kind, as `meaning: phrase|phrase`. */
export const cueWords: readonly (readonly [Reading, string])[] = [
  [
    { slot: 'function' },
    'deliver|delivers|delivered|achieve|achieves|achieved|incur|incurs|incurred|chalk up|chalked up|calendar|calendar year|out there|precisely|specifically|exactly|by the way|thank you so much|many thanks|cheers|for our records|on the books|observation|observations|observed value|data point for|i e|e g|namely|went to|goes to|trading|take on|takes on|check|looking at|look at|describe|in the period|for the period|during the period|over the period|in the period from|for the period from|over the period from|during the period from|look like|looks like|looked like|yield|yielded|the|a|an|of|in|on|at|for|to|is|are|was|were|be|been|being|am|do|does|did|has|have|had|please|kindly|thanks|thank you|thank you very much|could you|can you|would you|will you please|can i|could i|may i|tell me|show me|give me|let me know|tell us|show us|give us|let us|i would like|i want|i need|we need|i d like|id like|to know|know|see|get|look up|find|find out|find me|please tell|we|us|our|ours|i|me|my|you|its|their|there|that|these|those|what|whats|which|who|how|as|and|or|with|during|over|per|from|by|then|been|into|within|across|across all|through|throughout|according to|value|values|level|levels|reading|readings|figure|stand|stands|stood|standing|come in|came in|come out|came out|come|came|end up|ended up|end|ended|finish|finished|equal|equals|amount to|amounted to|amount|show|display|tell|give|report|reported|print|quote|quoted|trade at|traded at|trading at|trade|traded|hello|hi|hey|dear|good morning|good afternoon|for me|for us|can|could|would|quick question|curious|wondering|i wonder|i am wondering|do you know|any idea|about|so|just|also|much|have we|do we|do we have|we have|do you have|of all|make|made|reach|reached|record|recorded|hit|hits|exactly|precisely|actual|actually|in the month of|in the year|the month of|the year|calendar year|each|were there|are there|is there|was there|available|held|data point|number|stay|sit|sat|total number|observed|seen|be told|seen in|happen to be|say|now then|well|ok|okay|cheers|many thanks|much appreciated|question|answer|respectively|measured|published|official|doing|generate|generated|produced|produce|post|posted at|book|booked|earn|earned|employ|employed|worth|stated|registered at|pull up|fetch|retrieve|provide|state|pls|plz|thx|ta|as it stood|as they stood|saw|sees|exist|exists|full year|the whole of|the entire|whole of|terms|terms of|in terms of|was at|were at|be at|at what level|got|gets|going for|go for|went for|prints|printed|hi there|good evening|if you can|if possible|if you would|when you have a moment|for me please|we have on hand|on hand|sort|kind|sorts|things|thing|work|works|worked|working|staffed|run at|ran at|running at|came in at|come in at|stand at|stood at|sit at|sat at|closed out at|land at|landed at|landed|turned out|turn out|turned out to be|supposed|like to have|like to see|happy to know|interested in|after a|quick|quickly|remind me|remind us|remind|could someone tell me|somebody|someone|anyone|can someone tell me|help me find|share with me|share with us|pull|grab|grab me|hand me|s|listed|list price|we ve|we re|behind it|in the run|total amount|sum total|back then|in there|altogether|please and thank you|real quick|now please|today please|let me see|let me have|for the record|per our records|in our records|according to our records|according to the data|according to our data|as per|read|read at|reads|posted|notch|notched|clock in at|clocked in at|weigh in at|weighed in at|number for|figure for|go with|for what|under|in what|at what|on what|to what|to which|for which|at which|from what|by what|out|among|amongst|out of|regarding|concerning|with regard to|with respect to|with regards to|as regards|for instance|namely|lie|lies|of the month|back in|come to|came to|comes to|at that time|at the time|hover|hovered|hovering|sitting|standing at|sits at|total up to|recorded for|noted|stated for|give me the number for|looking for|i m looking for|im looking for|i am looking for|look for|im|i m|i am|searching for|in search of|want|would love|love|to have|to see|to get|to hear|hear|mind|telling|telling me|do you mind|would you mind|so far|thus far|whose|set|set in|set for|hast|providing|giving me|showing me',
  ],
  [
    { slot: 'cue', cue: 'show_list' },
    'break down|broken down|breakdown of|breakdown|split up|list|list all|list the|name|name all|enumerate|which|what|show|show me|give me|all|every|give me a list of|list of|a list of|give the|the list of|show all|show every|show me all|give me all|who',
  ],
  [{ slot: 'cue', cue: 'which' }, 'which|what|who'],
  [
    { slot: 'cue', cue: 'when' },
    'when|in which month|in what month|what month|which month|in which quarter|which quarter|on which date|since when',
  ],
  [
    { slot: 'cue', cue: 'how_many' },
    'how many|the number of|number of|count of|count|count the|what number of|total number of|how often|how many times|quantity of',
  ],
  [{ slot: 'cue', cue: 'how_much' }, 'how much|by how much|how far|what amount|how much money'],
  [
    { slot: 'cue', cue: 'how' },
    'how deep|how steep|how severe|how wide|how|how exactly|how high|how large|how big|how low|how great|how strong|how strongly|how heavily|how closely|how deeply|how tall|how small|how fast|how quickly|how rapidly|how long',
  ],
  [{ slot: 'cue', cue: 'any' }, 'any|anything|is there any|are there any|some|at least one|a single'],
  [{ slot: 'cue', cue: 'all' }, 'all|every|all of|all our|all the|whole|entire'],
  [
    { slot: 'cue', cue: 'pronoun' },
    'it|its|their|that one|this one|they|them|the same|same|it was|it is|it stood',
  ],
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
    'compare|comparing|compared to|compared with|comparison of|versus|vs|against|set against|as against|with that of|comparison|relative to that of|compare to|compare with|compares with|compares to|compared|measured against|next to|stack up against|stacked up against|up against|side by side|contrast|contrast with|in comparison with|in comparison to|stacks up against|set beside|pit|relative to|as compared to|as compared with|comparing with',
  ],
  [
    { slot: 'cue', cue: 'gap' },
    'gap|gap between|difference|difference between|the difference between|spread|spread between|differ|differs|apart|spread in|distance between|margin between|margin by which|margin|minus|less|subtract|subtracted from|difference in|gap in|how different',
  ],
  [{ slot: 'cue', cue: 'exceed' }, 'exceed|exceeded|exceeds|surpass|surpassed|outstrip|outstripped|ahead of'],
  [
    { slot: 'cue', cue: 'higher' },
    'higher|larger|bigger|greater|more|higher than|larger than|bigger than|greater than|more than|above|the higher|the larger|the bigger|who had more|highest|more expensive|the more expensive|pricier|the greater|better|the higher one|larger one|more people than|outdo|outdid|beat|beats|outperform|outperformed|top|topped|out earn|larger of|higher of|the larger of|the higher of|dearer',
  ],
  [
    { slot: 'cue', cue: 'lower' },
    'lower|smaller|less|fewer|lower than|smaller than|less than|fewer than|below|the lower|the smaller|cheaper|the cheaper|less expensive|the less expensive|lower of|the lower of|smaller of|short of|fell short of|fall short of|trail|trailed',
  ],
  [
    { slot: 'cue', cue: 'trend' },
    'move during|move over|move through|move throughout|move in the course of|trend|trends|the trend of|develop|developed|developing|development|evolve|evolved|evolution|over time|history of|trajectory|path of|course of|progress|progressed|describe how|how has|how have|moved|moving|movement|walk me through|what happened to|what has happened to|happened to|trended|trending|picture of|story of|pattern of|tracked|track|fared|fare|progression|pan out|panned out|over the course of|path|the path of|profile of|time path of|shape up|shaped up|ups and downs of',
  ],
  [{ slot: 'cue', cue: 'rank' }, 'rank|ranked|ranking|ranking of|order|sort|sorted|by'],
  [{ slot: 'cue', cue: 'growth' }, 'growth|growth rate|rate of growth'],
  [
    { slot: 'cue', cue: 'first' },
    'first|for the first time|earliest|initially|first time|the very first time',
  ],
  [{ slot: 'cue', cue: 'soonest' }, 'next|soonest|nearest|oldest|longest standing|youngest|furthest'],
  [
    { slot: 'cue', cue: 'last_time' },
    'last|for the last time|most recently|last time|the very last time|most recent time',
  ],
  [
    { slot: 'cue', cue: 'yoy' },
    [
      'year over year|year on year|yoy|y o y|against a year earlier|from a year earlier|than a year earlier|compared with a year earlier|compared to a year earlier|versus a year earlier|from the year before|on the year|over the year|over the year before|against the year before|from a year before|on a year earlier|than a year before|12 month|twelve month',
      ...steppedBack('year'),
    ].join('|'),
  ],
  [
    { slot: 'cue', cue: 'qoq' },
    [
      'quarter over quarter|quarter on quarter|qoq|q o q|on the quarter|against the previous quarter|from the previous quarter|from the quarter before|compared with the previous quarter|compared to the previous quarter|over the previous quarter|against the quarter before',
      ...steppedBack('quarter'),
    ].join('|'),
  ],
  [
    { slot: 'cue', cue: 'mom' },
    [
      'month over month|month on month|mom|m o m|on the month|against the previous month|from the previous month|from the month before|compared with the previous month|compared to the previous month|over the previous month|against the month before',
      ...steppedBack('month'),
    ].join('|'),
  ],
  [{ slot: 'cue', cue: 'from_to' }, 'from|between|since'],
  [{ slot: 'cue', cue: 'account' }, 'account|accounts'],
  [
    { slot: 'cue', cue: 'entity_word' },
    'company|firm|business|stock|share|series|index|indicator|portfolio|theme|factor|fund|the company|symbol|ticker|counterparty|supplier|lender|bank|workflow|metric',
  ],
  [
    { slot: 'cue', cue: 'owe' },
    'owe|owed|owing|still owe|do we owe|we owe|we still owe|still to pay|to be paid|unpaid|outstanding amount|amount outstanding|payable|do we owe in|owed by us|is owed|are owed|we have to pay|have to pay|left to pay|remaining to be paid|remains to be paid|still outstanding|indebted|owe in|total owed|outstanding to|payables outstanding|remain outstanding|remains outstanding',
  ],
  [{ slot: 'cue', cue: 'still' }, 'still|currently still|as yet|yet'],
  [
    { slot: 'cue', cue: 'due' },
    'due|fall due|fell due|fallen due|came due|become due|becomes due|became due|falling due|falls due|mature|maturing|come due|coming due|payable|matures|maturity|due date|need paying|need to be paid|have to be paid|must be paid|have to pay|need to pay|must pay|to pay|come up for payment|up for payment|scheduled',
  ],
  [
    { slot: 'cue', cue: 'overdue' },
    'overdue|past due|late|past their due date|past its due date|in arrears|past due date|overdue already|beyond their due date|past maturity|passed their due date|missed their due date|behind schedule|should have been paid|already due|delinquent',
  ],
  [
    { slot: 'cue', cue: 'taken_in' },
    'take in|took in|taken in|receive|received|receipts|came in|money in|cash in|collect|collected|come in|inflow of|flow in|flowed in|came into|brought in|bring in|in cash receipts|cash receipts|got in|was received|were received|was collected|flows in',
  ],
  [
    { slot: 'cue', cue: 'paid_out' },
    'pay out|paid out|spend|spent|money out|cash out|go out|went out|flow out|flowed out|leave|left|go out of|went out of|expenditure|spending|was spent|were spent|outgoings|disburse|disbursed|disbursements|was paid out|were paid out|flows out',
  ],
  [
    { slot: 'cue', cue: 'by_currency' },
    'by currency|per currency|in each currency|for each currency|split by currency|broken down by currency|currency by currency|grouped by currency|separately by currency|one figure per currency|separately for each currency|per each currency|in every currency|for every currency|currency wise|listed by currency|separated by currency',
  ],
  [
    { slot: 'cue', cue: 'by_sector' },
    'split by sector|sector split|sector split of|sector breakdown|sector breakdown of|distribution by sector|distributed across sectors|by sector|per sector|in each sector|for each sector|each sector|split by sector|broken down by sector|grouped by sector|every sector|in every sector|sector by sector|by each sector|across sectors|per industry sector|for every sector|grouped per sector|sector wise|split across sectors|sectorwise|by industry',
  ],
  [
    { slot: 'cue', cue: 'by_state' },
    'by state|per state|in each state|by status|per status|for each state|each state',
  ],
  [{ slot: 'cue', cue: 'in_sector' }, 'sector|in the sector|industry|from the sector|sector s'],
  [{ slot: 'cue', cue: 'sub_industry' }, 'sub industry|subindustry|sub sector|sub industries'],
  [
    { slot: 'cue', cue: 'exposure' },
    'exposed|exposure|exposures|exposed to|exposure to|exposure of|how exposed|tied to|tied|exposures to|loading on',
  ],
  [
    { slot: 'cue', cue: 'belong' },
    'contain|contains|contained|consist of|consists of|comprise|comprises|hold membership of|belong|belongs|belong to|belongs to|part of|member of|assigned to|classified|classified in|sorted into|fall under|falls under|operate|operates|classed|operate in|mapped to|linked to|tagged with|listed under|assigned|grouped|placed in|fit into|counted among|falls into|fall into|sit in|sits in|work in|included in|count as|counts as|classified as|classified under|categorised as|categorized as|categorised under|filed under|active in|comes under|come under',
  ],
  [
    { slot: 'cue', cue: 'hold' },
    'hold data for|hold data on|have data for|have data on|hold|hold prices for|cover|covered|data for|data|data on|on file|on our books|in our books|in the database|on record|in total|have on file|have in the database|have prices for|keep data for|keep data on|track|tracked|in our data|in our universe|universe|in the universe|have data|keep|have in total|hold in total|overall|altogether|together|carry|are covered|have in our data|prices for|have on record|have price data for|have price data on|have in our universe|follow|followed|in our dataset|in the dataset|on our list',
  ],
  [
    { slot: 'cue', cue: 'source' },
    'source|source of|sources|come from|comes from|came from|originate|originates|taken from|originate from|sourced from|where from|provenance|data source|which dataset|what dataset|dataset|from which dataset|which data set|data set|data|derive from|derived from|drawn from|obtained from|stem from|sourced|source for|do we get|do you get|feed|feeds|supplied by|supplies|supplied|who supplies|provided by|come out of|originally come from|stored in|published by|who publishes|pulled from',
  ],
  [{ slot: 'cue', cue: 'where' }, 'where|from where'],
  [
    { slot: 'cue', cue: 'method' },
    'computed|calculated|worked out|calculation|method|estimated|method for|method of|derived|method behind|determined|methodology|calculate|compute|computation|derive|measured|work out|arrived at|estimate|formula|formula for|model behind|technique|procedure|obtain|obtained|derivation|calculations|constructed',
  ],
  [
    { slot: 'cue', cue: 'freshness' },
    'newest date|newest day|latest day|most recent date|most recent day|last day|last date|how fresh|how recent|how current|how up to date|how old|fresh|freshness|freshness of|up to date|last updated|updated|recency|newest data|how new|how stale|last refreshed|refreshed|how current is|age of|how up to date are|how out of date|last refresh|last update|most recent update|as of date|out of date|date of the newest|how far up to date|latest date|last loaded|how recent are',
  ],
  [
    { slot: 'cue', cue: 'coverage' },
    'for which months|for what months|for which quarters|for what quarters|for which years|which periods|what periods|periods|for which periods|for what periods|which months|what months|which quarters|how far back|coverage|date range|time range|time span|period covered|periods covered|go back|does go back|reach back|how far back does|what dates|what range|which range of|time period|span|what span of|how long a history|how much history|history|what history|since when|timeframe|time frame|available periods|periods available|months available|first and last|go back to|stretch back|start and end|extent|which period|over which period|over what period|for which period|what period|for what period|which period of time',
  ],
  [
    { slot: 'cue', cue: 'revisions' },
    [
      ...changedSince,
      'restated|restatement|restatements|revised|revision|revisions|been restated|been revised|corrected|been corrected|changed since it was first reported|ever restated|ever revised|amended|been amended|revise|restate|changed after the fact|changed afterwards|been changed|updated later|amend|adjusted afterwards|corrections|correction|any revisions|any restatement|any restatements|modified|been modified|changed since|changed since it was first published|changed since first reported',
    ].join('|'),
  ],
  [{ slot: 'cue', cue: 'ever' }, 'ever|at any time|subsequently|since|later|afterwards'],
  [
    { slot: 'cue', cue: 'seal' },
    'seal|seal hash|hash of the seal|sealed hash|hash|the seal|seal of|the hash|sealing hash|sha 256|sealed under',
  ],
  [
    { slot: 'cue', cue: 'unit' },
    'unit|units|what unit|which unit|in what unit|in which unit|unit of measurement|measurement unit|expressed|measured|quoted|stated|denominated',
  ],
  [
    { slot: 'cue', cue: 'mean' },
    'mean|means|meant|meant by|stand for|stands for|meaning|meaning of|definition|definition of|the definition of|define|defined|explain|explanation of|understand by|understood by|mean by|description of|what exactly is meant by|meant with|in words|signify|signifies|refer to|refers to|denote|denotes|represent|represents',
  ],
  [
    { slot: 'cue', cue: 'capability' },
    [
      ...askedTopics,
      'what can you answer|what can you do|what can i ask|what can i ask you|what questions can you answer|what do you know|what can you tell me|which questions can you answer|what kind of questions can you answer|what are you able to answer|what sort of questions can you answer|what topics do you cover|what are you able to tell me|what can you tell us|what could i ask|help|what kinds of questions can you answer|what subjects do you cover|what can we ask you|what can we ask|what can you help with|what can you help me with|what sort of things can i ask you|what sort of things can i ask|what kind of things can i ask|what things can i ask|what kinds of things can you answer|what do you cover|what can you help us with|what are your capabilities|what sort of questions do you answer|what questions do you answer|what kind of questions do you answer|which topics can you answer|which questions can i ask|what questions can i ask|what questions can i ask you|what questions can we ask|what are you good for|what are you capable of|what is in scope|what information do you have|what data can i ask about|what can i ask about|what can i query|what am i able to ask|which kinds of questions can you answer|what are you able to do|what can be asked|what may i ask|what may i ask you|what kind of information can you give me|what areas do you cover|which areas do you cover|which topics do you cover|tell me what you can answer|tell me what you can do|list what you can answer|how can you help|how can you help me|what can i use you for|show me what you can answer|what sorts of questions can you answer',
    ].join('|'),
  ],
  [
    { slot: 'cue', cue: 'why' },
    'why|how come|for what reason|what is the reason|what was the reason|reason|reason for|the reason for|the reason|what made|what explains|what drove|what caused|what is behind|what lies behind|what was behind|explain why|the reason why|cause of|causes of|the cause of|driver of|drivers of|drove|driven|due to|because of|what led to|behind|what is driving|what was driving|what pushed|what made the|what triggered|what was the cause of|what is the cause of|what were the causes of|what were the drivers of|what was the driver of|what accounts for|what accounted for|what has caused|to what is due|what brought about|what sparked|what prompted|on account of what|how do you explain|what were the reasons for|reasons for|the reasons for|why exactly|why is it that',
  ],
  [
    { slot: 'cue', cue: 'cause' },
    'cause|causes|caused|lead to|leads to|result in|make for|affect|affects|influence|influences|drive|drives|because',
  ],
  [
    { slot: 'cue', cue: 'premise' },
    'given that|since|confirm that|confirm|is it true that|isn t it true that|it is true that|correct that|considering that|seeing that|knowing that|is it correct that|am i right that|am i right in thinking that|right that|now that|as|please confirm that|can you confirm that|assuming that|am i right that|verify that|is it right that|given how|in view of the fact that|after|is it so that|is it the case that|i believe that|i heard that|i understand that|they say that|we know that|as we know|we all know that|granted that|can you verify that|please verify that|can you confirm|could you confirm that|am i correct that|seeing as|due to the fact that|i assume that|i think that|do you agree that|verify|correct me if i am wrong|would you confirm that|please confirm|could you confirm',
  ],
  [
    { slot: 'cue', cue: 'right' },
    'right|correct|isn t it|wasn t it|didn t it|isnt it|wasnt it|didnt it|true|yes|hasn t it|no|am i right|is that right|is that correct|isn t that so|don t you agree|correct me if i am wrong|not so|is that so|is that true|or not|doesn t it|does it not|did it not|was it not|is it not|haven t they|aren t they|didn t they|weren t they|isn t that right|yeah',
  ],
  [
    { slot: 'cue', cue: 'error' },
    'fail|failed|failing|error|error code|error of|fault|failure|go wrong|went wrong|wrong|abort|aborted|break|broke|crash|go awry|went awry|fall over|fell over|not work|did not work|didn t work|stop working|errored|error out|errored out|fail on|broken|crashed|trip up|not complete|did not complete|failure of|failures|failure reason',
  ],
  [
    { slot: 'cue', cue: 'will' },
    'will|going to|be going to|expected to|gonna|shall|expect|about to|set to|bound to|is going to|are going to|going forward',
  ],
  [
    { slot: 'cue', cue: 'forecast' },
    'forecast|forecasts|forecasted|predicted|prediction|projected|projection|projections|expected|is forecast|point forecast|outlook|sealed forecast|is predicted|is projected|estimate for|forecast for|forecast of|forecasted to|forecast to|forecast to be|predicted to be|projected to be|expected to be|predict|predicts|project|projects|forecasting|prognosis|expectation|expectation for|expect|point estimate|central forecast|forecast value|forecast figure|anticipated|predicted value|foreseen|predicted to|projected to',
  ],
  [
    { slot: 'cue', cue: 'interval' },
    'interval|prediction interval|forecast interval|range|band|confidence interval|uncertainty interval|bounds|prediction band|prediction intervals|forecast band|range of the forecast|forecast range|prediction range|error band|limits of|lower and upper bound|upper and lower bound|lower and upper bounds|upper and lower bounds|confidence band|confidence range|coverage interval|bands',
  ],
  [
    { slot: 'cue', cue: 'horizon_end' },
    'last period|final period|last period of|how far ahead|how far|horizon|end of the horizon|furthest period|reach|until when|up to when|extend|extends|how far out|how far into the future|go|last quarter of the forecast|final quarter|furthest|latest period|end of|reach to|extends to|final period of|last quarter|last quarter of|last month of|last date|end|ends|stop|stops|cover|covers|far ahead|far out|how far forward|how far does|up to which period|to which period|until which period|until which quarter|up to which quarter|which period does it end|last forecast period|last forecast quarter|final forecast period|end date of|run to|runs to|stretch|stretches|last',
  ],
  [
    { slot: 'cue', cue: 'backtest' },
    'backtest|backtest of|backtesting|back test|back tested|backtested|mase|how good|how accurate|how well|accuracy|accuracy of|backtest error|perform in the backtest|perform|in backtesting|backtests|backtest score|backtest result|backtest results|backtest mase|back tests|how precise|precise|accurate|accuracy in the backtest|do in the backtest|out of sample error|out of sample|hold up in the backtest|reliable|forecast error|track record|score|scored|do in backtesting|fare in the backtest',
  ],
  [
    { slot: 'cue', cue: 'model_knows' },
    'that the model knows|the model knows|model knows|known to the model|of the model|in the model|the model covers|the model has seen|the model saw|by the model|according to the model|the model|of the bound model|bound model|in the last month of the model|model s last month|the model s last month|last month of the model|last month the model knows|last month known to the model|the model has|the model has data for|model has|covered by the model|that the model covers|that the model has seen|model data|model s data',
  ],
  [
    { slot: 'cue', cue: 'likely' },
    'most likely|most probable|likeliest|likely|probable|probability|probability of|likeliest one|with the highest probability|highest probability|has the highest probability|had the highest probability|the most likely|the most probable|the likeliest|dominant',
  ],
  [
    { slot: 'cue', cue: 'happens' },
    'what happens to|happens to|happens|happen to|what would happen to|what does it do to|effect on|impact on|what becomes of|affected|change for|what is the effect on|what is the impact on|happen|expected move of|respond|react|do to|does to|would happen to|what would it mean for|would it mean for|what does it mean for|consequence for|consequences for|impact of|effect of|affect|be affected|expected change in|expected return of|implied move of|what becomes|come of',
  ],
  [{ slot: 'cue', cue: 'if' }, 'if|when|suppose|supposing|in case|assuming|should|in the event that'],
  [
    { slot: 'cue', cue: 'collapse' },
    'collapse|collapses|crash|crashes|plunges|plunge|tanks|slump|slumps|crater|collapsed|crashed|tank|tanked|a crash in|a collapse in|a collapse of|a plunge in|a slump in|falls apart|fall sharply|falls sharply|dives|nosedives|plunged|drop sharply|drops sharply|tumbles|sinks',
  ],
  [
    { slot: 'cue', cue: 'oil' },
    'oil|oil prices|oil price|the oil price|crude|energy prices|the price of oil|oil and gas prices|crude oil|crude prices|brent|wti',
  ],
  [
    { slot: 'cue', cue: 'book' },
    'book|our book|equal weight book|the book|our portfolio|equal weight|equally weighted book|portfolio|equal weighted book|equal weight portfolio|equally weighted|equal weight basket|positions|the portfolio|our positions|our holdings|equal weighted portfolio|equally weighted portfolio|book of equal weights|equal weights book',
  ],
  [
    { slot: 'cue', cue: 'plausible' },
    'plausible|how plausible|plausibility|plausibility of|how likely|how probable|how extreme|how unlikely|likely|tail probability|tail probability of|how probable is|how probable was|how realistic|realistic|how credible|how rare',
  ],
  [{ slot: 'cue', cue: 'shock' }, 'shock|shocks|stress|shock to|shock of|move|assumed move'],
  [{ slot: 'cue', cue: 'seed' }, 'seed|with seed|seeded with'],
  [
    { slot: 'cue', cue: 'limit_field' },
    'limit|ceiling|cap|maximum|maximum amount|allow|allows|allowed|permit|permits|permitted|may be paid|can be paid|may be spent|can be spent|allowance|maximum size|upper limit|most that can be paid|threshold|restricted to|capped|capped at|limited to|limits|caps',
  ],
  [
    { slot: 'cue', cue: 'per_action' },
    'per action|for each action|per transaction|a single action|single action|for one action|for a single action|one action|for each payment|per payment|a payment|each payment|for one payment|for a single payment|single payment|per individual action|any one action|in a single action|in one action|each action|every action|an action|per individual payment',
  ],
  [
    { slot: 'cue', cue: 'per_day' },
    'per day|daily|a day|each day|for each day|every day|in a day|daily limit|in one day|each single day|for one day',
  ],
  [
    { slot: 'cue', cue: 'per_month' },
    'per month|monthly|a month|each month|for each month|every month|in a month|monthly limit|in one month|for one month',
  ],
  [
    { slot: 'cue', cue: 'valid_until' },
    'valid until|expire|expires|expiry|expiry date|run out|runs out|lapse|lapses|until when valid|valid|good until|end date|until when|expiration|expiration date|ends|end|run until|until what date|good for|cease|ceases|valid to|validity|how long|validity end',
  ],
  [
    { slot: 'cue', cue: 'use' },
    'use|used|based on|rely on|relied on|built on|rest on|rests on|was used in|used in|run on|used by|was used by|underlie|behind|employ|employed|utilise|built with|based upon|use as|rely|apply|applied|underlies|underlying|underlay|in use',
  ],
  [{ slot: 'cue', cue: 'best_vague' }, 'best|worst|good|top'],
  [
    { slot: 'cue', cue: 'convert' },
    'convert|converted|converted to|converted into|translated into|expressed|equivalent|exchange rate|at the exchange rate|counted in|in equivalent|equivalents|exchanged into|swapped into|restated in|at today s rate|at the current rate|translated|changed into|express',
  ],
  [{ slot: 'cue', cue: 'net' }, 'net'],
  [{ slot: 'cue', cue: 'cash_flow' }, 'cash flow|cash flows|cash movement|flow of cash'],
  [{ slot: 'cue', cue: 'severity' }, 'severity|how severe|how serious'],
  [
    { slot: 'cue', cue: 'believe' },
    'believe|believed|think|thought|knew|what did we know|assume|assumed|did we believe|hold to be|known|believe to be|think to be|we think|we believe|we thought|we believed',
  ],
  [
    { slot: 'cue', cue: 'traded' },
    'traded|trade|trades|changed hands|change hands|turned over|were exchanged|exchanged|bought and sold|got traded|turnover of',
  ],
  [
    { slot: 'cue', cue: 'minus' },
    'minus|less|subtract|subtracted from|take away|net of|after deducting|once you take off|deducting',
  ],
  [
    { slot: 'cue', cue: 'opened' },
    'opened|raised|detected|found|reported|logged|came up|come up|arose|cropped up',
  ],
];
