/** What a push message holds: the service worker shows it as it is. */
export interface PushBody {
  title: string;
  body: string;
  /** A notification replaces the one with the same tag. */
  tag: string;
  /** Where a click leads. */
  url: string;
  /** It stays until somebody reacts. */
  stays: boolean;
  /** It replaces another without sound or vibration. */
  quiet: boolean;
  /** When it was so, in milliseconds. */
  at: number;
}
