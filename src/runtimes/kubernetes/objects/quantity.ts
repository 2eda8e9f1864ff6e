const POWERS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;

/** The number that a quantity stands for, as in `250m` cores or `64Mi` bytes; null when it is none. Source: Kubernetes API, resource.Quantity. */
export function parseQuantity(text: unknown): number | null {
  if (typeof text === "number") return Number.isFinite(text) ? text : null;
  if (typeof text !== "string") return null;
  const [, digits, exponent = "", suffix = ""] = QUANTITY.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const value = Number(digits + exponent) * (POWERS[suffix] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}
