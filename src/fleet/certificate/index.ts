export { fingerprintOf, openOwnCertificate, type OwnCertificate } from "./own-certificate.ts";
export { makeSelfSigned, type SelfSigned } from "./self-signed.ts";
