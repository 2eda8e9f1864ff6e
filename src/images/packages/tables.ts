/** The columns of the cache's table; see storage/migrations/019-image-packages.ts for their meaning. */
export interface PackageTables {
  image_packages: ImagePackagesRow;
}

export interface ImagePackagesRow {
  digest: string;
  format: number;
  complete: number;
  size: number;
  bytes: Uint8Array;
  created_at: number;
  used_at: number;
}
