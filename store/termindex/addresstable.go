package termindex

import "unsafe"

// addressTable numbers strings by their addresses. An analyzer gives a term as the same string again and again: to know
// it by its address takes neither a hash of its bytes nor a look at them. Equal strings at several addresses are
// several entries. The table keeps the strings, so that no other can come to lie where one of them was.
type addressTable struct {
	slots []addressSlot // a power of two of them, at most half of them used
	used  int
}

type addressSlot struct {
	address *byte
	length  uint32 // of the string in bytes, plus one; 0: the slot is free
	number  uint32
}

const (
	fewestAddresses   = 1 << 8
	addressMultiplier = 0x9e3779b97f4a7c15 // 2⁶⁴/φ, for multiplicative hashing
)

func (t *addressTable) find(s string) (number uint32, known bool) {
	if t.used == 0 {
		return 0, false
	}
	slot := t.slotOf(addressOf(s))
	return slot.number, slot.length > 0
}

// add adds a string that the table does not have.
func (t *addressTable) add(s string, number uint32) {
	if 2*t.used >= len(t.slots) {
		before := t.slots
		t.slots = make([]addressSlot, max(fewestAddresses, 2*len(before)))
		for _, slot := range before {
			if slot.length > 0 {
				*t.slotOf(slot) = slot
			}
		}
	}
	slot := addressOf(s)
	slot.number = number
	*t.slotOf(slot) = slot
	t.used++
}

// slotOf returns the slot with the address and length of want, or the free one where it belongs.
func (t *addressTable) slotOf(want addressSlot) *addressSlot {
	mask := len(t.slots) - 1
	for i := int(uint64(uintptr(unsafe.Pointer(want.address))) * addressMultiplier >> 32); ; i++ {
		slot := &t.slots[i&mask]
		if slot.length == 0 || slot.address == want.address && slot.length == want.length {
			return slot
		}
	}
}

func addressOf(s string) addressSlot {
	return addressSlot{address: unsafe.StringData(s), length: uint32(len(s)) + 1}
}
