// Package mcpapi lets assistants ask the archive over the Model Context Protocol.
package mcpapi

import _ "github.com/modelcontextprotocol/go-sdk/mcp"
