/** Function words of other languages. They decide only where English ones do not. */
export const FOREIGN = new Set(
  'wie hoch war ist das der die den dem ein eine im und oder wieviel welche welcher wann warum wo von mit fur nicht zeige bitte quel quelle quels etait est le la les un une des du en et ou combien pourquoi montrez dans pour avec cual cuales fue era el los las una del y o cuanto cuando por que en con muestra qual foi os as da do na no quanto quale era il lo gli di che nel della wat hoe hoog het een van welke waarom hvad hvor vad var hur'.split(
    ' ',
  ),
);
/** Function words of English. */
export const ENGLISH = new Set(
  'the a an of in on at to is are was were did do does what which who how when where why show me give tell please and or for by from with have has had we our i my you your be been'.split(
    ' ',
  ),
);
