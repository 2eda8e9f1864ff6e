/** The header of every HTTP check, by which the API knows its own and other instances' checks, whatever stands between. In lower case. */
export const PROBE_MARK = "x-service-probe";
