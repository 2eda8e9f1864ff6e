/** Where a value is stored. It opens nowhere else. */
export interface SecretPlace {
  table: string;
  column: string;
  id: number;
}

/** Seals secrets before they are stored, and opens them when they are loaded. */
export interface StoredSecrets {
  seal(text: string, place: SecretPlace): string;
  /** Throws when the value does not open at this place. */
  open(stored: string, place: SecretPlace): string;
}
