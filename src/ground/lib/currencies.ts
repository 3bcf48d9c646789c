/**
 * Currencies that are in use, by the number of their decimals: ISO 4217, list one, as of 1 January 2026 (without the euro, and without the codes of
 * funds, metals and units of account, which nobody pays in).
 */
const BY_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP
    ERN ETB FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP
    SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** How many decimals amounts of a currency have, by its code in capitals; null for what is no other currency than the euro. */
export const decimalsOf = (code: string): number | null => DECIMALS.get(code) ?? null;
