/** Where a value is stored. It can be opened only for this place. */
export interface SecretPlace {
  table: string;
  column: string;
  id: number;
}

/** Seals secrets before they are stored, and opens them when they are loaded. */
export interface StoredSecrets {
  seal(text: string, place: SecretPlace): string;
  /** Throws when the value was not sealed for this place. */
  open(stored: string, place: SecretPlace): string;
}
