// The little of the protobuf encoding that an ONNX file needs: messages as arrays of buffers, fields by number (onnx.proto).

const varint = (n) => {
  const bytes = [];
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
  return Buffer.from([...bytes, n]);
};

export const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
export const message = (field, ...parts) => {
  const body = Buffer.concat(parts.flat(Infinity));
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
};
export const text = (field, value) => message(field, Buffer.from(value));
export const float = (field, value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), bytes]);
};
