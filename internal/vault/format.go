package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// lens.vault, little endian:
//
//	  0  "LENSVLT" and a zero byte
//	  8  uint32 version of this format
//	 12  uint32 epoch: how many keys the archive has had, including this one
//	 16  uint64 revision: how many times the file was written
//	 24  16 bytes, the archive's name in keyrings
//	 40  two slots: for the PIN and for the recovery passphrase
//	280  SHA-256 of everything before it
//
// and each slot:
//
//	 0  uint32 kind
//	 4  uint32 × 3 argon2id: memory in KiB, passes, lanes
//	16  32 bytes salt
//	48  24 bytes nonce
//	72  the key, encrypted with XChaCha20-Poly1305, which also authenticates the slot before its nonce,
//	    and the file's magic, version, epoch and name
//
// The hash distinguishes a damaged file from a wrong PIN. It does not authenticate: each slot authenticates itself.
const (
	magic         = "LENSVLT\x00"
	formatVersion = 1
	slotsAt       = 40
	slotBytes     = 72 + wrappedBytes
	sumAt         = slotsAt + 2*slotBytes
	fileBytes     = sumAt + sha256.Size
	wrappedBytes  = keyBytes + 16
)

type kind uint32

const (
	pin        kind = 1 // with the device secret
	passphrase kind = 2 // without it
	recovery   kind = 3
)

// Indices of the slots.
const pinSlot, recoverySlot = 0, 1

type slot struct {
	kind    kind
	params  Params
	salt    [32]byte
	nonce   [24]byte
	wrapped [wrappedBytes]byte
}

type vaultFile struct {
	epoch    uint32
	revision uint64
	id       [16]byte
	slots    [2]slot
}

var (
	errDamaged = errors.New("vault file is damaged")
	errNewer   = fmt.Errorf("%w: newer format", ErrUnusable)
	errParams  = fmt.Errorf("%w: argon2id parameters exceed the limits", ErrUnusable)
)

func (f vaultFile) encode() []byte {
	b := append(make([]byte, 0, fileBytes), magic...)
	b = binary.LittleEndian.AppendUint32(b, formatVersion)
	b = binary.LittleEndian.AppendUint32(b, f.epoch)
	b = binary.LittleEndian.AppendUint64(b, f.revision)
	b = append(b, f.id[:]...)
	for _, s := range f.slots {
		b = s.head(b)
		b = append(b, s.nonce[:]...)
		b = append(b, s.wrapped[:]...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// head appends the part of a slot that is authenticated.
func (s slot) head(b []byte) []byte {
	for _, n := range []uint32{uint32(s.kind), s.params.Memory, s.params.Time, uint32(s.params.Threads)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(b, s.salt[:]...)
}

// associatedData returns what the wrapping of a slot authenticates in addition to the key.
func (f vaultFile) associatedData(s slot) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(magic), formatVersion)
	b = binary.LittleEndian.AppendUint32(b, f.epoch)
	b = append(b, f.id[:]...)
	return s.head(b)
}

// decode reads lens.vault. Errors: errDamaged, errNewer, errParams.
func decode(b []byte) (w vaultFile, err error) {
	switch {
	case len(b) < 12 || string(b[:8]) != magic:
		return w, errDamaged
	case len(b) != fileBytes || sha256.Sum256(b[:sumAt]) != [sha256.Size]byte(b[sumAt:]):
		if v := binary.LittleEndian.Uint32(b[8:]); v > formatVersion && v < 1<<16 {
			return w, errNewer
		}
		return w, errDamaged
	case binary.LittleEndian.Uint32(b[8:]) != formatVersion:
		return w, errNewer
	}
	w.epoch, w.revision = binary.LittleEndian.Uint32(b[12:]), binary.LittleEndian.Uint64(b[16:])
	copy(w.id[:], b[24:])
	for i := range w.slots {
		if w.slots[i], err = decodeSlot(b[slotsAt+i*slotBytes:][:slotBytes]); err != nil {
			return w, err
		}
	}
	primary, backup := w.slots[pinSlot].kind, w.slots[recoverySlot].kind
	if w.epoch == 0 || primary != pin && primary != passphrase || backup != recovery {
		return w, errDamaged
	}
	return w, nil
}

func decodeSlot(b []byte) (s slot, err error) {
	var n [4]uint32
	for i := range n {
		n[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	if n[3] > maxThreads {
		return s, errParams
	}
	s.kind, s.params = kind(n[0]), Params{Memory: n[1], Time: n[2], Threads: uint8(n[3])}
	r := bytes.NewReader(b[16:])
	for _, part := range [][]byte{s.salt[:], s.nonce[:], s.wrapped[:]} {
		_, _ = r.Read(part) // a slot is exactly that long
	}
	return s, s.params.check()
}
