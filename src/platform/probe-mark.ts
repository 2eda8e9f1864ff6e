/** The header of every HTTP check. By it the API recognises checks of this and other instances, whatever is in between. In lower case. */
export const PROBE_MARK = "x-service-probe";
