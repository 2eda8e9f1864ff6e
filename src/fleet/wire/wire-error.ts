/** Bytes that are not what they should be: where in the message, and what is wrong there. Never holds what was sent. */
export class WireError extends Error {
  override name = "WireError";
  readonly where: string;
  readonly what: string;

  constructor(where: string, what: string, options?: ErrorOptions) {
    super(`${where} ${what}`, options);
    this.where = where;
    this.what = what;
  }
}
