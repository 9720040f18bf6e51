declare module "http_ece" {
  export function decrypt(
    message: Buffer,
    options: {
      readonly version: "aes128gcm";
      readonly privateKey: import("node:crypto").ECDH;
      readonly authSecret: string;
    },
  ): Buffer;
}
