// The entries of the 10,000 most common passwords that meet the minimum length, lowercased (from
// the npm package `@zxcvbn-ts/language-common`). A test compares this list with the package and
// prints the expected content.

export const COMMON_PASSWORDS =
  "123qweasdzxc 1qaz2wsx3edc q1w2e3r4t5y6 1q2w3e4r5t6y mailcreated5240 qazwsxedcrfv 123456qwerty qwerty123456 " +
  "polniypizdec0211 sojdlg123aljg leavemealone motherfucker 123456654321 gfhjkmgfhjkm qazwsxedc123 ghjcnjgfhjkm " +
  "zxcasdqwe123 sonyericsson ghhh47hj7649 123456789qwe 1qazxsw23edc masterbating qwerasdfzxcv qweasdzxc123 " +
  "flvbybcnhfnjh";
