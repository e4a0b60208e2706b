/** Function words of other languages. They decide only where English ones do not. */
export const FOREIGN = new Set(
  'wie hoch war ist das der die den dem ein eine im und oder wieviel welche welcher wann warum wo von mit fur nicht zeige bitte quel quelle quels etait est le la les un une des du en et ou combien pourquoi montrez dans pour avec cual cuales fue era el los las una del y o cuanto cuando por que en con muestra qual foi os as da do na no quanto quale era il lo gli di che nel della wat hoe hoog het een van welke waarom hvad hvor vad var hur wieviele viele unser unsere unserer zum zur bei ist sind waren wurde hat haben sich auch als mir uns zeig gib nenne combien sont etaient notre nos votre au aux sur quelle quels montre donne moi cuantos cuanta era eran nuestro nuestra muestrame dime esta este mes ano trimestre estaba nel nella del dello qual quale quanti nostro nostra mostrami dimmi sono erano hoeveel waren zijn onze geef toon jaar maand kwartaal mij was der quanto quantos nosso nossa mostre diga foram estava pelo pela ile jaki jaka jest byl byla w na i czy dlaczego kiedy ilu pokaz podaj mikä oli kuinka paljon hvilken hvilket hvornar hvorfor mycket vilken nar varfor wat maart mars marzo marz januar februar oktober dezember mai janvier fevrier avril juin juillet aout septembre octobre novembre decembre enero febrero abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre marco marcu quartal trimestre trimestrul jahr annee anno umsatz einnahmen rendite chiffre ventas ingresos mitarbeiter employes empleados dipendenti hatten hatte war'.split(
    ' ',
  ),
);
/** Function words of English. */
export const ENGLISH = new Set(
  'the a an of in on at to is are was were did do does what which who how when where why show me give tell please and or for by from with have has had we our i my you your be been'.split(
    ' ',
  ),
);
