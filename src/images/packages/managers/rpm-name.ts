/** `1:3.0.7-27.el9`; without an epoch the version stands alone, which means the epoch 0. */
export function versionOfRpm(epoch: number, versionAndRelease: string): string {
  return Number.isInteger(epoch) && epoch > 0 ? `${epoch}:${versionAndRelease}` : versionAndRelease;
}

/** Takes the name of a source package's file apart: `glibc-2.34-60.el9.src.rpm`. Its epoch is nearly always that of what was built from it. */
export function sourceOfRpm(file: string, epoch: number): { name: string; version: string } | null {
  const [, name, version] = /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(file) ?? [];
  return name === undefined || version === undefined ? null : { name, version: versionOfRpm(epoch, version) };
}
